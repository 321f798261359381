import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { run } from '../package/packed.ts'
import { installed, interopPage, makeProject, onNode24, root } from './pages.ts'

const pages = ['ai-sdk', 'express', 'hono', 'langchain', 'mcp', 'openai-agents'].map(interopPage)

/** The same example for AI SDK 6, which runs on Node 20: only the mock has another name, as the page explains. */
const { code, prints } = interopPage('ai-sdk')
pages.push({
  name: 'ai-sdk-6',
  code: code
    .replaceAll(/from 'ai(?=['/])/g, "from 'ai-6")
    .replaceAll('MockLanguageModelV4', 'MockLanguageModelV3'),
  prints,
})

/** AI SDK 7 needs Node 22. */
const nodeFor: Record<string, readonly string[]> = { 'ai-sdk': onNode24 }

// Without the SDKs (`npm run interop` installs them) these tests are reported as skipped.
describe.skipIf(!installed)('GEN-9 other SDKs accept generated tools as docs/interop shows', () => {
  let folder = ''

  beforeAll(() => {
    folder = makeProject(pages)
  })

  test('the examples type-check against the declarations of the SDKs', () => {
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    expect(run(folder, process.execPath, compiler, '--outDir', 'out', '--rootDir', '.')).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  test.each(pages)('$name prints the output on its page', ({ name, prints }) => {
    const [command = '', ...args] = nodeFor[name] ?? [process.execPath]
    const ran = run(folder, command, ...args, join('out', `${name}.js`))
    expect(ran.stdout).toBe(prints)
    expect(ran.code).toBe(0)
  })
})
