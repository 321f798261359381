import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type CompilerVersion, compilers, type Diagnostic, typeCheck } from '../types/compilers.ts'
import { generateIn, projectFolder } from '../types/project-folder.ts'
import { root } from './doc-examples.ts'

const page = readFileSync(join(root, 'docs/typed-data-flow.md'), 'utf8')

const blocks = (fence: RegExp): RegExpExecArray[] => [...page.matchAll(fence)]
const definitions = blocks(/^```ts\n\/\/ definitions\/(\S+)\n(.*?)^```$/gms)
const right = blocks(/^```ts right\n(.*?)^```$/gms).map(([, code = '']) => code)
/** The wrong code of the page, each with the compiler message that the page shows. */
const wrong = blocks(/^### ([^\n]+)\n\n```ts wrong\n(.*?)^```$\n\n```text\n(.*?)^```$/gms).map(
  ([, title = '', code = '', message = ''], index) => ({ title, code, message, file: `wrong${index}.ts` }),
)

const imports = "import { Activity, calls, plan, reference, Tool } from './generated/index.js'\n"
let generated: Record<string, string> = {}

/** Generates code for the page's definitions, as a reader would. */
beforeAll(async () => {
  const declared = definitions.map(([, name = '', code = '']) => [`definitions/${name}`, code])
  const folder = projectFolder(Object.fromEntries(declared))
  try {
    generated = await generateIn(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

/** Returns the last line of a message: the innermost one, which is the same in all compilers. */
const lastLine = (message: string): string => message.trim().split('\n').at(-1)?.trim() ?? ''

describe.each(Object.keys(compilers) as CompilerVersion[])(
  'docs/typed-data-flow.md, TypeScript %s',
  (version) => {
    let found: readonly Diagnostic[] = []
    beforeAll(() => {
      const sources = Object.fromEntries(wrong.map(({ file, code }) => [file, imports + code]))
      const good = Object.fromEntries(right.map((code, index) => [`right${index}.ts`, code]))
      found = typeCheck(version, { ...generated, ...good, ...sources })
    }, 60_000)

    test('TYPE-1 TYPE-3 TYPE-4 the correct code compiles', () => {
      expect(wrong.length).toBeGreaterThan(10)
      expect(right.length).toBeGreaterThan(0)
      expect(found.filter(({ file }) => !file.startsWith('wrong'))).toEqual([])
    })

    test.each(wrong)('$title: the message is the compiler’s', ({ file, message }) => {
      const own = found.filter((each) => each.file === file)
      expect(own).toHaveLength(1)
      const said = `error ${own[0]?.code}: ${own[0]?.message}`
      // The page shows the message of TypeScript 7; older compilers print more lines before it.
      if (version === '7.0') expect(`${said}\n`).toBe(message)
      else expect(lastLine(said)).toBe(lastLine(message))
    })
  },
)
