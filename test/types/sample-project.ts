import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './compilers.ts'
import type { Misuse, TypeProject } from './type-project.ts'

/** The sample's generated sources, with their tool modules checked like the rest. */
export function generatedSample(): Record<string, string> {
  const folder = join(root, 'generated')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
  return Object.fromEntries(
    paths.map((path) => [
      `generated/${path}`,
      readFileSync(join(folder, path), 'utf8').replace(/^\/\/ @ts-nocheck.*\n/m, ''),
    ]),
  )
}

const right = `
import { plan, type Activities, type Call, type Calls, type FileStatsCall, type Outputs } from './generated/index.js'
import { createContext, createRegistry, plan as anyPlan, type Call as SentCall, type Message, type Outcome, type RunOptions } from 'callsheet'
import type { AgentOptions, ConfirmRules, Decision, Request } from 'callsheet/agent'
import type { CallSteps, RestateActivities } from 'callsheet/restate'
import { scriptedModel } from 'callsheet/testing'

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
const run = await Tool.run({ _tool: 'fileStats', file: 'a' }, { timeout: 5 })
same<typeof run, Outcome<Outputs['fileStats']>>(true)
declare const sent: SentCall, name: string
const unknowns: Outcome[] = [await Tool.run(sent), await Tool.run({ _tool: 'registeredLater', n: 1 }), await Tool.run({ _tool: name }), await Tool.run(JSON.parse('{}'))]
for (const call of Tool.parse('[]')) unknowns.push(await Tool.run(call))
const parameter: 'string' | undefined = Tool.get('fileStats')?.properties.file.type
const forwarded = <Given extends Call>(call: Given) => [Tool(call), Tool.run(call), Tool.all([call, { _tool: 'sentiment', text: 'x' }])]
const grouped = <Given extends Call>(...given: Given[]) => [Tool.all(given), Tool.race(given)]
const named = <Name extends keyof Calls>(call: Calls[Name]) => [Tool(call), Tool.run(call), Tool.any([call])]
const later = <Given extends { readonly _tool: string }>(call: Given) => Tool.run(call)
const spoken = <Text extends string>(text: Text) => [Tool({ _tool: 'sentiment', text }), Tool.run(calls.sentiment({ text }))]
void [forwarded, grouped, named, later, spoken]
const schemas: (object | undefined)[] = [Tool.get(name), Tool.get('registeredLater')]
const { Tool: byHand } = createRegistry({ tools })
void [unknowns, parameter, schemas]

declare const file: FileStatsCall, steps: CallSteps, asked: typeof Request<string, Call>
const built = calls.fileStats({ file: 'a' })
const anyList = [file, built, { _tool: 'fileStats', file: 'a', size: 1 }]
void [Tool.plan(dynamic), Tool.plan([file, built]), plan.from(dynamic), anyPlan(anyList).step(file).step(built)]
void [byHand(file), byHand.run(file), byHand.all(dynamic), byHand.any([file, built]), byHand.race(dynamic), byHand.plan(anyList)]
void [steps.run(file), steps.all([file, built]), steps.plan(dynamic), scriptedModel([{ calls: dynamic }]), asked]
const hooked: RunOptions = { before: () => file, confirm: () => ({ replace: file }), context: createContext([{ type: 'plan', plan: dynamic }]) }
const edited: Decision = { approval: 'a', hash: 'b', approve: true, call: file }
type Handler = RestateActivities<Calls, Outputs>['fileStats']
same<Parameters<Handler>[1]['call'] extends infer Taken ? (typeof file | typeof built extends Taken ? true : false) : never, true>(true)
same<{ _tool: 'fileStats'; file: number } extends Parameters<Handler>[1]['call'] ? true : false, false>(true)
const deciding: Pick<AgentOptions, 'confirm'>[] = [{ confirm: async () => 'pending' }, { confirm: () => 'pending' }, { confirm: async ({ _tool }) => _tool === 'a' ? { refuse: 'no' } : true }]
const asking: ConfirmRules = { ask: async (call, { tool }) => { await tool; void call._tool; return 'pending' }, askPlan: async ({ id }) => { await id; return 'pending' } }
void [hooked, edited, deciding, asking]

Activity.register('searchText', async (call, tool, context, run) => {
  same<typeof call.query, string>(true)
  same<typeof call.where.extensions, string[] | undefined>(true)
  const first: Message | undefined = context[0]
  const signal: AbortSignal = run.signal
  same<typeof tool.properties.query.type, 'string'>(true)
  const output: 'array' = tool.properties._output.type
  void [tool.description, tool.properties.query.description, output, tools.searchText.properties.query.type, first, signal]
  return [{ place: { file: 'a', line: 1 }, text: call.query }]
})
Activity.register('fileStats', async () => JSON.parse('{}'), { variant: 'v2' })
Activity.register('fileStats', () => { throw new Error('none') })
Activity.register<'readLine'>('readLine', async (call) => call.place.file)
declare const implementations: Activities
for (const name of ['fileStats', 'readLine'] as const) Activity.register(name, implementations[name])
Activity.register('appendNote', () => message({ type: 'data', data: { notes: 1 } }))
const title: string | undefined = tools.fileStats.title
void [line, referred, bold, words, mood, italic, outputs, outcome, title]
`

const wrong: Readonly<Record<string, Misuse>> = {
  'a missing parameter': {
    source: `await Tool(calls.fileStats({}))`,
    code: 'TS2345 TS2741',
    tells: ["Property 'file' is missing"],
    below: true,
  },
  'a missing parameter of a literal': {
    source: `await Tool({ _tool: 'fileStats' })`,
    code: 'TS2322',
    tells: ['fileStats needs file'],
  },
  'an extra parameter': {
    source: `await Tool(calls.fileStats({ file: 'a', size: 1 }))`,
    code: 'TS2353',
    tells: ["'size' does not exist"],
  },
  'an extra member of a parameter': {
    source: `calls.searchText({ query: 'a', where: { folder: 'a', exts: [] } })`,
    code: 'TS2353',
    tells: ["'exts' does not exist"],
  },
  'an extra parameter of a literal': {
    source: `await Tool({ _tool: 'fileStats', file: 'a', size: 1 })`,
    code: 'TS2353',
    tells: ["'size' does not exist in type 'FileStatsCall'"],
  },
  'a misspelt member': {
    source: `calls.readLine({ folder: 'a', place: { file: 'a', lin: 1 } })`,
    code: 'TS2561',
    tells: ["Did you mean to write 'line'?"],
  },
  'a mistyped parameter': {
    source: `await Tool(calls.fileStats({ file: 1 }))`,
    code: 'TS2322',
    tells: ["Type 'number' is not assignable to type 'string'"],
  },
  'a mistyped parameter of a literal': {
    source: `await Tool({ _tool: 'fileStats', file: 1 })`,
    code: 'TS2322',
    tells: ['fileStats.file takes a string'],
  },
  'an extra member of a literal’s parameter': {
    source: `await Tool({ _tool: 'searchText', query: 'a', where: { folder: 'a', exts: [] } })`,
    code: 'TS2353',
    tells: ["'exts' does not exist"],
  },
  'a misspelt parameter of a literal': {
    source: `await Tool({ _tool: 'searchText', querry: 'a', where: { folder: 'a' } })`,
    code: 'TS2561',
    tells: ["'querry' does not exist in type 'SearchTextCall'. Did you mean to write 'query'?"],
  },
  'a mistyped member of a literal’s parameter': {
    source: `await Tool({ _tool: 'searchText', query: 'a', where: { folder: 1 } })`,
    code: 'TS2322',
    tells: ['searchText.where.folder takes a string'],
  },
  'a mistyped parameter in a group': {
    source: `await Tool.race([{ _tool: 'readLine', folder: true, place: { file: 'a', line: 1 } }])`,
    code: 'TS2322',
    tells: ['readLine.folder takes a string'],
  },
  'a mistyped parameter of a run': {
    source: `await Tool.run({ _tool: 'fileStats', file: 1 })`,
    code: 'TS2322',
    tells: ['fileStats.file takes a string'],
  },
  'a misspelt parameter of a run': {
    source: `await Tool.run({ _tool: 'searchText', querry: 'a', where: { folder: 'a' } })`,
    code: 'TS2561',
    tells: ["Did you mean to write 'query'?"],
  },
  'a wrong use of a run’s output': {
    source: `const ran: number | undefined = (await Tool.run({ _tool: 'readLine', folder: 'a', place: { file: 'a', line: 1 } })).output`,
    code: 'TS2322',
    tells: ["'string | undefined' is not assignable to type 'number | undefined'"],
  },
  'a wrong use of a schema': {
    source: `Tool.get('fileStats')?.properties.fil`,
    code: 'TS2551',
    tells: ["Did you mean 'file'?"],
  },
  'an unknown builder': {
    source: `calls.fileStat({ file: 'a' })`,
    code: 'TS2551',
    tells: ["Did you mean 'fileStats'?"],
  },
  'a misspelt builder of a toolkit': {
    source: `calls.PhraseEmphasis.italics({ phrase: 'a' })`,
    code: 'TS2551',
    tells: ["'italics' does not exist on type 'PhraseEmphasisToolkit'. Did you mean 'italic'?"],
  },
  'an unknown Tool': {
    source: `await Tool({ _tool: 'fileStat', file: 'a' })`,
    code: 'TS2820',
    tells: [`Did you mean '"fileStats"'?`],
  },
  'a meta-field that is not declared': {
    source: `calls.sentiment({ text: 'x' }, { _outputPath: 'a' })`,
    code: 'TS2353',
    tells: ["'_outputPath' does not exist"],
  },
  'a wrong Call in a group': {
    source: `await Tool.all([calls.fileStats({ file: 'a' }), { _tool: 'readLine', folder: 'a' }])`,
    code: 'TS2322',
    tells: ['readLine needs place'],
  },
  'a wrong use of an output': {
    source: `const { lines }: { lines: string } = await Tool(calls.fileStats({ file: 'a' }))`,
    code: 'TS2322',
    tells: ["'number' is not assignable to type 'string'"],
    below: true,
  },
  'an Activity for no Tool': {
    source: `Activity.register('fileStat', async () => ({ lines: 1, words: 1, bytes: 1 }))`,
    code: 'TS2345',
    tells: ['"fileStat"'],
  },
  'an Activity that reads no parameter': {
    source: `Activity.register('fileStats', async (call) => ({ lines: call.fil.length, words: 1, bytes: 1 }))`,
    code: 'TS2551',
    tells: ["Did you mean 'file'?"],
  },
  'an Activity that misspells a property of its Tool': {
    source: `Activity.register('fileStats', async (_call, tool) => ({ lines: tool.properties.fil ? 1 : 0, words: 1, bytes: 1 }))`,
    code: 'TS2551',
    tells: ["Did you mean 'file'?"],
  },
  'an Activity with a wrong output': {
    source: `Activity.register('fileStats', async () => ({ lines: '1', words: 1, bytes: 1 }))`,
    code: 'TS2345',
    tells: ['"fileStats._output.lines must be a number"'],
  },
  'an Activity that leaves a property out': {
    source: `Activity.register('fileStats', async (call, tool, context, run) => { const seen = [call, tool, context, run]; return { lines: seen.length, words: 1 } })`,
    code: 'TS2345',
    tells: ['"fileStats._output needs bytes"'],
  },
  'an Activity that leaves several properties out': {
    source: `Activity.register('fileStats', () => ({ lines: 1 }))`,
    code: 'TS2345',
    tells: ['fileStats._output needs ', 'words', 'bytes'],
  },
  'an Activity that forgets to return': {
    source: `Activity.register('fileStats', async ({ file }) => { void file })`,
    code: 'TS2345',
    tells: ['"fileStats._output must be an object"'],
  },
  'an Activity with a wrong property deep in its output': {
    source: `Activity.register('searchText', async ({ query }) => [{ place: { file: query, line: '1' }, text: query }])`,
    code: 'TS2345',
    tells: ['"searchText._output[].place.line must be a number"'],
  },
  'an Activity with one wrong way out': {
    source: `Activity.register('readLine', async (call) => (call.folder === '' ? 0 : message({ type: 'text', text: 'x' })))`,
    code: 'TS2345',
    tells: ['"readLine._output must be a string"'],
  },
  'an Activity written elsewhere': {
    source: `Activity.register('fileStats', function () { return { lines: 1, words: 1, bytes: null } }, { variant: 'v2' })`,
    code: 'TS2345',
    tells: ['"fileStats._output.bytes must be a number"'],
  },
  'a wrong Call of which the output is read': {
    source: `export const bytes = (await Tool({ _tool: 'fileStats' })).bytes + 1`,
    code: 'TS2322',
    tells: ['"fileStats needs file"'],
  },
  'a wrong Call of which the Outcome is read': {
    source: `export const ended = (await Tool.run({ _tool: 'fileStats', fiel: 'a' })).output?.bytes`,
    code: 'TS2561 TS2353',
    tells: ["'fiel' does not exist in type 'FileStatsCall'"],
  },
  'a wrong Call in a group of which the outputs are read': {
    source: `for (const each of await Tool.all([calls.fileStats({ file: 'a' }), { _tool: 'fileStats' }])) void each.bytes`,
    code: 'TS2322',
    tells: ['"fileStats needs file"'],
  },
  'a wrong Call in a group whose outputs are named': {
    source: `export const [, named] = await Tool.all([calls.fileStats({ file: 'a' }), { _tool: 'fileStats' }])`,
    code: 'TS2322',
    tells: ['"fileStats needs file"'],
  },
  'a wrong Call in a race of which the output is read': {
    source: `export const raced = [(await Tool.race([{ _tool: 'fileStats' }])).bytes, (await Tool.any([calls.fileStats({ file: 'a' })])).bytes]`,
    code: 'TS2322',
    tells: ['"fileStats needs file"'],
  },
  'an Activity that wants another Call': {
    source: `Activity.register('readLine', async (call: { folder: number }) => String(call.folder))`,
    code: 'TS2345',
    tells: ["'ReadLineActivity'"],
  },
}

/** TYPE-5, TYPE-6: what `npm start` generates. */
export const sampleProject: TypeProject = {
  files: generatedSample(),
  imports:
    "import { Activity, calls, Tool, tools } from './generated/index.js'; import { message } from 'callsheet'",
  right,
  wrong,
}
