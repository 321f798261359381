import type { TypeProject } from '../../../types/type-project.ts'
import { misuses } from './misuse.ts'
import { generatedSources } from './project.ts'

const right = `
import type { Activities, ActivityOf, Call, Calls, MailCall, RateCall } from './index.js'
import type { BuiltCall, Outcome } from 'callsheet'
declare const text: string
const sent: Promise<void> = Tool(calls.mail({ to: '†state.user.name', lines: ['†state.user.name'], count: '†state.days' }))
void Tool(calls.mail({ to: 'me', lines: reference('†state.user.tags'), count: reference('†state.user.age || †state.days') }))
void Tool(calls.mail({ to: "†state.user.'any key'", lines: '†state.user.tags', count: 2 }))
void Tool(calls.mail({ to: text, lines: [text], count: text.length }))
void Tool(calls.mail({ to: \`†state.user.\${text}\`, lines: [], count: '†result.whatever' }))
void Tool(calls.mail({ to: '††state.user.nmae', lines: [], count: '†state.user.age' }))
void Tool(calls.mail({ to: '† see below', lines: [], count: '†state.byCity.Oslo.temperature' }))
void Tool({ _tool: 'mail', to: '†state.user.name', lines: [], count: '†state.user.age' })
void Tool({ _tool: 'mail', to: text, lines: [text, '†state.user.tags.0', 'see †state.nowhere'], count: 1 })
void Tool({ _tool: 'advise', forecast: { temperature: '†state.days', conditions: '†input.city' }, name: 'x' })
void Tool({ _tool: 'advise', forecast: '†state.byCity.Oslo', name: '††state.user.nmae' })
void Tool({ _tool: 'mail', to: 'x', lines: reference('†state.user.tags'), count: 1 })
void Tool.all([calls.weatherCheck({ location: text }), { _tool: 'mail', to: '†state.user.name', lines: ['†input.city'], count: '†state.days' }])
declare const mail: MailCall, anything: Call, several: Call[]
void [Tool(mail), Tool(anything), Tool.all(several), Tool.any([mail, mail])]
void reference(text)

declare const counted: Record<string, number>
const built = ['Oslo', 'Rome'].map((location) => calls.weatherCheck({ location }))
const written = ['Ada', 'Bob'].map((to) => ({ _tool: 'mail' as const, to, lines: [], count: 1 }))
void [Tool.all([...built, { _tool: 'mail', to: 'x', lines: [], count: 1 }]), Tool.all([calls.brief({}), ...written]), plan([...written, ...built])]
void Tool({ ...written[0]!, ...(either && { count: 2 }) })
export const wrapped = <Output>(call: BuiltCall<Output>): Promise<Output> => Tool(call)
export const limited = <Output>(call: BuiltCall<Output>): Promise<Output> => Tool(call, { timeout: 5 })
export const outcomes = <Output>(call: BuiltCall<Output>): Promise<Outcome<Output>> => Tool.run(call)
export const forwarded = <Given extends Call>(call: Given) => [Tool(call), Tool.run(call), Tool.run({ ...call }), Tool.all([call, mail]), plan([call]).step(call)]
export const grouped = <Given extends Call>(...given: Given[]) => [Tool.all(given), Tool.race(given), plan(given)]
export const tupled = <const Given extends readonly Call[]>(given: Given) => [Tool.all(given), Tool.any(given), plan(given)]
export const named = <Name extends keyof Calls>(call: Calls[Name]) => [Tool(call), Tool.run(call), Tool.all([call]), plan([call])]
export const inside = <Value, Line extends string, Cast extends { temperature: number; conditions: string }>(value: Value, lines: readonly Line[], forecast: Cast) => [
  calls.rate({ data: [value, { value }] }), calls.mail({ to: 'x', lines: [...lines], count: 1 }), calls.mail({ to: '†state.user.name', lines: lines.slice(1), count: 1 }),
  calls.advise({ forecast, name: 'x' }), calls.advise({ forecast: { ...forecast }, name: 'x' }, { _outputPath: '†state.advice' }), Tool({ _tool: 'mail', to: 'x', lines, count: 1 }),
]
export const spread = <const Given extends readonly Call[]>(given: readonly [...Given]) => [Tool.all(given), Tool.any([calls.brief(), ...given, mail]), Tool.race([...given]), plan(given), plan([calls.brief(), ...given])]
export const kept = <Kept extends Record<string, Call>, Name extends keyof Kept>(calls: Kept, name: Name) => [Tool(calls[name]), Tool.run(calls[name]), Tool.all([calls[name]]), plan().step(calls[name])]
export const forwardedAny = <Given extends Call | BuiltCall<unknown>>(call: Given) => [Tool(call), Tool.run(call), Tool.all([call]), plan([call]).step(call), plan().step(call)]
export const anyStep = (call: Call | BuiltCall<unknown>) => [Tool(call), Tool.run(call), Tool.all([call]), plan([call]).step(call)]
void [forwardedAny(mail), forwardedAny(calls.brief()), forwardedAny({ _tool: 'judge', text: '†input.city' })]
void spread([{ _tool: 'judge', text: 'x' }, mail])
export const sum: Promise<number> = Tool.all([calls.judge({ text: 'x' }), JSON.parse('{}')]).then(([first]) => first.confidence)
export const later = <Given extends { readonly _tool: string }>(call: Given) => Tool.run(call)
export const addressed = <To extends string, Parts extends { lines: string[]; count: number }>(to: To, parts: Parts) => [
  Tool(calls.mail({ to, lines: [], count: 1 })), Tool({ _tool: 'mail', to, lines: ['†state.user.name', to], count: 1 }),
  Tool(calls.mail({ to: 'x', ...parts })), Tool({ _tool: 'mail', to: 'x', ...parts }), plan([{ _tool: 'mail', to, lines: [], count: 1 }]),
  Tool({ _tool: 'weatherCheck', location: to, _outputPath: to }), Tool.all([{ _tool: 'weatherCheck', location: 'x', _outputPath: to }]),
  Tool(calls.weatherCheck({ location: to }, { _outputPath: to })),
]
export const chosen: Promise<string | void> = Tool(either ? calls.mail(written[0]!) : calls.advise({ forecast: '†state.byCity.Oslo', name: 'x' }))
void [Tool({ _tool: 'tally', counts: {} }), Tool(calls.tally({ counts: { a: 1, b: '†state.days' } })), plan([{ _tool: 'tally', counts: counted }])]
Activity.register('tally', async ({ counts }) => ({ total: { ...counts, all: 1 } }))

export const listed = plan([
  { _tool: 'weatherCheck', location: '†input.city', days: '†state.days', _outputPath: '†state.forecast || †state.failure' },
  { _tool: 'advise', forecast: '†state.forecast', name: '†state.user.name', _outputPath: 'advice' },
  { _tool: 'mail', to: '†state.user.name', lines: ['†state.advice', '†state.user.tags.0'], count: '†state.forecast.temperature' },
  { _tool: 'mail', to: '†state.failure.message', lines: ['†input.city'], count: 1 },
])
export const chained = plan()
  .step({ _tool: 'weatherCheck', location: '†input.city', _outputPath: '†state.forecast && †audit.last' })
  .step(calls.advise({ forecast: '†state.forecast', name: 'x' }, { _outputPath: '†state.advice' }))
  .step({ _tool: 'mail', to: '†state.days && †state.advice', lines: [], count: '†audit.last.temperature' })
export const helped = plan([
  { _tool: 'weatherCheck', location: reference('†input.city'), _outputPath: '†state.forecast' },
  { _tool: 'advise', forecast: reference('†state.forecast'), name: 'x' },
  { _tool: 'mail', to: 'x', lines: reference('†state.user.tags'), count: reference('†state.days') },
])
export const pushed = plan([
  { _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.readings', _outputMethod: 'push' },
  { _tool: 'weatherCheck', location: 'Rome', _outputPath: '†state.readings', _outputMethod: 'push' },
  { _tool: 'advise', forecast: '†state.readings.0', name: 'x' },
])
export const pushedByBuilders = plan([
  calls.weatherCheck({ location: 'Oslo' }, { _outputPath: '†state.readings', _outputMethod: 'push' }),
  calls.weatherCheck({ location: 'Rome' }, { _outputPath: '†state.readings', _outputMethod: 'push' }),
  { _tool: 'advise', forecast: '†state.readings.0', name: 'x' },
])
export const fixed = plan([
  { _tool: 'decide' },
  { _tool: 'measure' },
  { _tool: 'measure', _outputPath: '†state.readings' },
  { _tool: 'advise', forecast: '†state.readings.0', name: '†state.advice' },
])
export const fixedByBuilders = plan([
  calls.decide(),
  calls.measure(),
  calls.measure({}),
  calls.advise({ forecast: reference('†state.readings.0'), name: 'x' }),
  { _tool: 'mail', to: '†state.advice', lines: [], count: 1 },
])
export const nowhere = plan([calls.brief(), calls.weatherCheck({ location: 'Oslo' }), { _tool: 'mail', to: '†state.user.name', lines: [], count: 1 }])
export const ofRecord = plan([{ _tool: 'advise', forecast: '†state.byCity.Oslo', name: 'x' }, { _tool: 'mail', to: '†state.byCity.Oslo.conditions', lines: [], count: 1 }])
export const step = plan().step(calls.brief()).step({ _tool: 'mail', to: '†input.city', lines: ['†state.user.name'], count: '†state.days' })
export const ofAnyTool = plan([anything, { _tool: 'advise', forecast: '†state.forecast', name: 'x' }])
export const computed = plan([
  { _tool: 'weatherCheck', location: 'Oslo', _outputPath: \`†state.\${text}\` },
  { _tool: 'advise', forecast: '†state.forecast', name: 'x' },
])
export const writtenAlone = [
  Tool({ _tool: 'weatherCheck', location: '†input.city', _outputPath: '†state.forecast', _reasoningForCall: '†state.days' }),
  Tool.run({ _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.forecast && †audit.last' }),
  Tool.all([{ _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.readings', _outputMethod: 'push' }, { _tool: 'measure', _outputPath: '†state.readings' }]),
  Tool.any([{ _tool: 'weatherCheck', location: 'Oslo', _outputPath: \`†state.\${text}\` }, { _tool: 'weatherCheck', location: 'Oslo', _outputPath: 'forecast' }]),
  Tool({ _tool: 'brief', _scopes: ['†state.user'] }), plan([{ _tool: 'brief', _scopes: ['†state.user'] }]),
]
export const fromModel = plan.from([{ _tool: text }])

Activity.register('advise', (call, tool, context) => {
  const name: string = context.state.user.name
  const age: number | undefined = context.state.user.age
  const city: string = context.input.city
  return \`\${context.length} \${name} \${age} \${city} \${call.forecast.conditions} \${tool.title}\`
})
Activity.register('brief', (_call, _tool, context) => context.state.user.name)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
declare const data: Json, list: readonly Json[]
void [Tool({ _tool: 'rate', data }), Tool(calls.rate({ data: [data, list] })), Tool.run({ _tool: 'rate', data: list }), plan([{ _tool: 'rate', data: { list } }])]
declare const anyData: unknown, record: Readonly<Record<string, unknown>>, rated: RateCall
void [Tool({ _tool: 'rate', data: anyData }), Tool(calls.rate({ data: [anyData, record] })), Tool(rated), plan([rated, { _tool: 'rate', data: record }])]
const constant = { _tool: 'mail', to: '†state.user.name', lines: ['see', '†state.user.name'], count: 1 } as const
const spot = { kind: 'point', spot: ['†state.days', '†state.user.name'] } as const
void [Tool(constant), Tool.all([constant]), plan([constant]), plan().step(constant), Tool(calls.mail({ to: 'x', lines: constant.lines, count: 1 }))]
void Tool({ _tool: 'rate', data: 1, at: { where: spot } })
Activity.register('rate', async () => 'low')
Activity.register('judge', ({ text }) => ({ mood: text ? 'positive' : 'neutral', confidence: 1 }))
Activity.register('rate', async (call) => { if (call.data) return 'high'; return 'low' })
Activity.register('rate', () => 'low')
Activity.register('rate', async ({ data }) => (data ? 'low' : ['x']))
Activity.register('rate', () => constant.lines)
Activity.register<'rate'>('rate', () => 'low')
Activity.register<'rate'>('rate', async (call) => { if (call.data) return 'high'; return ['x'] }, { variant: 'v2' })
Activity.register<'advise'>('advise', async (call) => call.name)
declare const implementations: Activities, rateFunction: ActivityOf<'rate'>
export const rates: ActivityOf<'rate'>[] = [async () => 'low', () => 'low', async ({ data }) => { if (data) throw new Error('none'); return 'high' }, () => (either ? 'low' : Promise.resolve('high'))]
export const stubs = { rate: async () => 'low', mail: async () => {} } satisfies Partial<Activities>
export const around = (inner: Activities['rate']): Activities['rate'] => async (call, tool, context, run) => { await inner(call, tool, context, run); return 'low' }
export class Rater { readonly rate: ActivityOf<'rate'> = async ({ data }) => { await data; return 'low' } }
Activity.register('rate', stubs.rate)
Activity.register('rate', rateFunction)
Activity.register<'rate'>('rate', rateFunction)
for (const name of ['advise', 'rate'] as const) Activity.register(name, implementations[name])
void [sent, Tool(calls.brief()), Tool({ _tool: 'brief' })]
`

/** TYPE-1, TYPE-3, TYPE-4: a project that declares what its contexts hold. */
export const declaredProject: TypeProject = {
  files: generatedSources(true),
  imports:
    "import { Activity, calls, plan, reference, Tool } from './index.js'; declare const either: boolean, perhaps: number | undefined",
  right,
  wrong: misuses,
}
