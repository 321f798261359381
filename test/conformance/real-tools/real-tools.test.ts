import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { RandomSource } from '../../../runtime/testing/random-source.ts'
import { randomValue } from '../../../runtime/testing/random-value.ts'
import { toolSets } from '../../data/tool-sets.ts'
import { freshFolder, run } from '../../package/packed.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs one Call of every Tool, with parameters that its schema allows. */
const caller = `
import { readFileSync } from 'node:fs'
import { Activity, Tool, type ToolName, type Activities } from './generated/index.js'

const calls: Record<string, object> = JSON.parse(readFileSync('calls.json', 'utf8'))
const statuses: Record<string, string> = {}
for (const name of Tool.names as ToolName[]) {
  Activity.register(name as keyof Activities, (async () => ({ done: name })) as never)
  const outcome = await Tool.run({ _tool: name, ...calls[name] } as never)
  statuses[name] = outcome.status === 'succeeded' && (outcome.output as unknown as { done: string }).done === name ? 'succeeded' : String(outcome.error)
}
console.log(JSON.stringify(statuses))
`

describe.for(toolSets)('GEN-10 the tools of $name: import, generate, tsc, a Call each', ({ tools }) => {
  const there = tools.length > 0
  const names = tools.map(({ name }) => name)
  const random = new RandomSource(5)
  let folder = ''

  beforeAll(() => {
    if (!there) return
    folder = freshFolder({
      'package.json': '{ "name": "real-tools", "private": true, "type": "module" }',
      'call.ts': caller,
      'tools.json': JSON.stringify({ tools }),
      'calls.json': JSON.stringify(
        Object.fromEntries(tools.map(({ name, inputSchema }) => [name, randomValue(inputSchema, random)])),
      ),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          module: 'nodenext',
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          verbatimModuleSyntax: true,
          erasableSyntaxOnly: true,
          types: ['node'],
          outDir: 'out',
          rootDir: '.',
        },
        include: ['*.ts', 'definitions', 'generated'],
      }),
    })
    mkdirSync(join(folder, 'node_modules'))
    link('callsheet', root)
    for (const name of ['typebox', '@types']) link(name, join(root, 'node_modules', name))
  })

  test.skipIf(!there)('import', () => {
    const imported = run(folder, process.execPath, cli(), 'import', 'tools.json', '--out', 'definitions')
    expect(imported).toMatchObject({ code: 0 })
    expect(readdirSync(join(folder, 'definitions'))).toHaveLength(names.length)
  })

  test.skipIf(!there)('generate, and a second time without a change', () => {
    expect(run(folder, process.execPath, cli(), 'generate')).toMatchObject({ code: 0 })
    expect(run(folder, process.execPath, cli(), 'generate', '--check')).toMatchObject({ code: 0 })
  })

  test.skipIf(!there)('tsc, and a Call of each', () => {
    const checked = run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
    expect(checked).toMatchObject({ code: 0, stdout: '' })
    const ran = run(folder, process.execPath, '--disallow-code-generation-from-strings', 'out/call.js')
    expect(ran.stderr).toBe('')
    expect(JSON.parse(ran.stdout)).toEqual(
      Object.fromEntries([...names].sort().map((name) => [name, 'succeeded'])),
    )
  })

  function link(name: string, target: string): void {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, 'dir')
  }

  function cli(): string {
    return join(folder, 'node_modules/callsheet/dist/cli.js')
  }
})
