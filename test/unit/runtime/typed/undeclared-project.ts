import type { Misuse, TypeProject } from '../../../types/type-project.ts'
import { generatedSources } from './project.ts'

/** Nothing is known of the paths, and nothing is said against them. */
const right = `
void Tool(calls.mail({ to: '†state.user.nmae', lines: [], count: '†stat.x' }))
void reference('†state.anything')
const lines: readonly string[] = ['a']
void Tool(calls.mail({ to: 'x', lines, count: 1 }))
void Tool({ _tool: 'mail', to: 'x', lines, count: 1 })
export const listed = plan([
  { _tool: 'weatherCheck', location: '†input.city', _outputPath: '†state.forecast' },
  { _tool: 'advise', forecast: '†state.forecast', name: '†audit.name' },
])
export const built = plan([
  calls.weatherCheck({ location: 'Oslo' }, { _outputPath: '†state.forecast' }),
  { _tool: 'advise', forecast: '†state.forecast', name: 'x' },
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
export const pushed = plan([
  calls.weatherCheck({ location: 'Oslo' }, { _outputPath: '†state.readings', _outputMethod: 'push' }),
  calls.brief(),
  { _tool: 'advise', forecast: '†state.readings.0', name: '†audit.name' },
])
const seen: unknown[] = []
void Tool.run(calls.decide(), {
  before: (call) => {
    if (call._tool === 'mail') throw new Error('no mail')
  },
  after: async (outcome) => {
    await Promise.resolve()
    seen.push(outcome.id)
  },
})
void Tool(calls.decide(), { before: async () => {}, after: ({ id }) => { seen.push(id) } })
`

const wrong: Readonly<Record<string, Misuse>> = {
  'a path that nobody writes': {
    source: `plan([{ _tool: 'advise', forecast: '†state.forecast', name: 'x' }])`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast, and the project declares no state'],
  },
  'an output at the path that its Tool fixes, which the next step does not take': {
    source: `plan([{ _tool: 'decide' }, { _tool: 'mail', to: 'x', lines: [], count: '†state.advice' }])`,
    code: 'TS2322',
    tells: ['mail.count: †state.advice is a string, not a number'],
  },
  'the same of a built step': {
    source: `plan([calls.decide(), { _tool: 'mail', to: 'x', lines: [], count: '†state.advice' }])`,
    code: 'TS2322',
    tells: ['mail.count: †state.advice is a string, not a number'],
  },
  'an output that the next step does not take': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: 'a.b' }, { _tool: 'mail', to: '†state.a.b', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: ['mail.to: †state.a.b is an object, not a string'],
  },
}

/** TYPE-1, TYPE-3: a project that declares no context. */
export const undeclaredProject: TypeProject = {
  files: generatedSources(false),
  imports: "import { calls, plan, reference, Tool } from './index.js'",
  right,
  wrong,
}
