import { describe, expect, test } from 'vitest'
import { type CompilerVersion, compilers, typeCheck } from './compilers.ts'

const generated = '../../../generated/index.ts'

const right = `
import { type Call, calls, Tool, Activity, tools, type Outputs } from '${generated}'
import type { Message, Outcome } from 'callsheet'

type Equal<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false
const same = <Left, Right>(_equal: Equal<Left, Right>): void => {}

const stats = await Tool(calls.fileStats({ file: 'a' }))
same<typeof stats, { lines: number; words: number; bytes: number }>(stats.lines > 0 ? true : true)
const line: string = await Tool({ _tool: 'readLine', folder: 'a', place: { file: 'b', line: 1 } })
const referred: string = await Tool({ _tool: 'readLine', folder: '†input.folder', place: '†state.found.0.place' })
const bold: string = await Tool(calls.PhraseEmphasis.bold({ phrase: 'x' }, { _reasoningForCall: 'to stress it' }))

const tuple = await Tool.all([calls.fileStats({ file: 'a' }), { _tool: 'sentiment', text: 'x' }, calls.PhraseEmphasis.italic({ phrase: 'x' })])
const words: number = tuple[0].words
const mood: 'positive' | 'neutral' | 'negative' = tuple[1].mood
const italic: string = tuple[2]
same<(typeof tuple)['length'], 3>(true)
const either = await Tool.any([calls.fileStats({ file: 'a' }), calls.readLine({ folder: 'a', place: { file: 'b', line: 1 } })])
same<typeof either, Outputs['fileStats'] | string>(true)
const dynamic: Call[] = []
const outputs: Outputs[keyof Outputs][] = await Tool.all(dynamic)
const outcome: Outcome<Outputs['fileStats']> = await Tool.run(calls.fileStats({ file: 'a' }))

Activity.register('searchText', async (call, tool, context, run) => {
  same<typeof call.query, string>(true)
  same<typeof call.where.extensions, string[] | undefined>(true)
  const first: Message | undefined = context[0]
  const signal: AbortSignal = run.signal
  void [tool.description, first, signal]
  return [{ place: { file: 'a', line: 1 }, text: call.query }]
})
Activity.register('appendNote', () => ({ type: 'data', data: { notes: 1 } }))
const title: string | undefined = tools.fileStats.title
void [line, referred, bold, words, mood, italic, outputs, outcome, title]
`

/** One wrong use each: its source, the codes that the compilers give, and what the message must tell. */
const wrong = {
  'missing.ts': [`await Tool(calls.fileStats({}))`, 'TS2345 TS2741', "Property 'file' is missing"],
  'missing-literal.ts': [`await Tool({ _tool: 'fileStats' })`, 'TS2769', "Property 'file' is missing"],
  'extra.ts': [`await Tool(calls.fileStats({ file: 'a', size: 1 }))`, 'TS2353', "'size' does not exist"],
  'extra-nested.ts': [
    `calls.searchText({ query: 'a', where: { folder: 'a', exts: [] } })`,
    'TS2353',
    "'exts' does not exist",
  ],
  'extra-literal.ts': [
    `await Tool({ _tool: 'fileStats', file: 'a', size: 1 })`,
    'TS2769',
    'UnknownParameter<"fileStats", "size">',
  ],
  'misspelt.ts': [
    `calls.readLine({ folder: 'a', place: { file: 'a', lin: 1 } })`,
    'TS2561',
    "Did you mean to write 'line'?",
  ],
  'mistyped.ts': [
    `await Tool(calls.fileStats({ file: 1 }))`,
    'TS2322',
    "Type 'number' is not assignable to type 'string'",
  ],
  'mistyped-literal.ts': [
    `await Tool({ _tool: 'fileStats', file: 1 })`,
    'TS2769',
    "Type 'number' is not assignable to type 'string'",
  ],
  'unknown-builder.ts': [`calls.fileStat({ file: 'a' })`, 'TS2551', "Did you mean 'fileStats'?"],
  'unknown-tool.ts': [
    `await Tool({ _tool: 'fileStat', file: 'a' })`,
    'TS2769',
    `Did you mean '"fileStats"'?`,
  ],
  'undeclared-meta.ts': [
    `calls.sentiment({ text: 'x' }, { _outputPath: 'a' })`,
    'TS2353',
    "'_outputPath' does not exist",
  ],
  'in-all.ts': [
    `await Tool.all([calls.fileStats({ file: 'a' }), { _tool: 'readLine', folder: 'a' }])`,
    'TS2322',
    "Property 'place' is missing",
  ],
  'output-use.ts': [
    `const { lines }: { lines: string } = await Tool(calls.fileStats({ file: 'a' }))`,
    'TS2322',
    "'number' is not assignable to type 'string'",
  ],
  'activity-name.ts': [
    `Activity.register('fileStat', async () => ({ lines: 1, words: 1, bytes: 1 }))`,
    'TS2345',
    '"fileStat"',
  ],
  'activity-parameter.ts': [
    `Activity.register('fileStats', async (call) => ({ lines: call.fil.length, words: 1, bytes: 1 }))`,
    'TS2551',
    "Did you mean 'file'?",
  ],
  'activity-output.ts': [
    `Activity.register('fileStats', async () => ({ lines: '1', words: 1, bytes: 1 }))`,
    'TS2345 TS2322',
    "Type 'string' is not assignable to type 'number'",
  ],
} as const satisfies Record<string, readonly [source: string, code: string, fragment: string]>

const imports = `import { Activity, calls, Tool } from '${generated}'\n`
const sources = Object.fromEntries(
  Object.entries(wrong).map(([file, [source]]) => [
    file,
    `${imports}void [Activity, calls, Tool]\n${source}\n`,
  ]),
)

describe.each(Object.keys(compilers) as CompilerVersion[])('TypeScript %s', (version) => {
  test('TYPE-5 TYPE-6 what is right compiles, with exact types', () => {
    expect(typeCheck(version, { 'right.ts': right })).toEqual([])
  })

  test('GEN-8 generated code checks under the strictest settings, bundler resolution too', () => {
    const everything = `export * from '${generated}'\n`
    const bundler = { module: 'esnext', moduleResolution: 'bundler' }
    expect(typeCheck(version, { 'all.ts': everything }, bundler)).toEqual([])
    expect(
      typeCheck(version, { 'all.ts': everything }, { isolatedDeclarations: true, declaration: true }),
    ).toEqual([])
  })

  test('TYPE-6 each mistake is one error that says what is wrong', () => {
    const diagnostics = typeCheck(version, sources)
    for (const [file, [source, code, fragment]] of Object.entries(wrong)) {
      const own = diagnostics.filter((each) => each.file === file)
      expect(own, source).toHaveLength(1)
      expect(`${own[0]?.code} ${own[0]?.message}`, source).toContain(fragment)
      expect(code.split(' '), source).toContain(own[0]?.code)
      expect(own[0]?.line, source).toBe(3)
    }
  })
})
