import type { Misuse } from '../../../types/type-project.ts'

const nmae = ['†state.user has no nmae', 'DidYouMean<"name">']

/** What a project that declares its context is told. */
export const misuses: Readonly<Record<string, Misuse>> = {
  'a path that leads nowhere': {
    source: `calls.mail({ to: '†state.user.nmae', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: nmae,
  },
  'a kind that is not declared': {
    source: `calls.mail({ to: 'x', lines: [], count: '†stat.days' })`,
    code: 'TS2322',
    tells: ['no stat is declared', 'DidYouMean<"state">'],
  },
  'a value that the parameter does not take': {
    source: `calls.mail({ to: '†state.days', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['WrongType<"†state.days does not fit", number, string>'],
  },
  'a text where a number is wanted': {
    source: `calls.mail({ to: 'x', lines: [], count: '†state.user.name' })`,
    code: 'TS2322',
    tells: ['WrongType<"†state.user.name does not fit", string, number>'],
  },
  'a text that is no Reference': {
    source: `calls.mail({ to: 'x', lines: [], count: '† three' })`,
    code: 'TS2322',
    tells: ['† three does not fit'],
  },
  'a literal Call': {
    source: `Tool({ _tool: 'mail', to: 'x', lines: [], count: '†state.dasy' })`,
    code: 'TS2769',
    tells: ['†state has no dasy', 'DidYouMean<"days">'],
  },
  'a literal Call’s text': {
    source: `Tool({ _tool: 'mail', to: '†state.user.nmae', lines: [], count: 1 })`,
    code: 'TS2769',
    tells: nmae,
  },
  'a text deep in a literal Call': {
    source: `Tool({ _tool: 'mail', to: 'x', lines: ['a', '†state.user.nmae'], count: 1 })`,
    code: 'TS2769',
    tells: nmae,
  },
  'a number deep in a literal Call': {
    source: `Tool({ _tool: 'advise', forecast: { temperature: '†state.user.name', conditions: 'x' }, name: 'x' })`,
    code: 'TS2769',
    tells: ['†state.user.name does not fit'],
  },
  'a literal Call in a group': {
    source: `Tool.all([{ _tool: 'mail', to: '†state.user.nmae', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: nmae,
  },
  'a helper’s path': { source: `reference('†state.user.nmae')`, code: 'TS2345', tells: nmae },
  'a helper’s text': {
    source: `reference('hello')`,
    code: 'TS2345',
    tells: ['hello is no Reference'],
  },
  'an alternative that leads nowhere': {
    source: `reference('†state.user.name || †state.user.nmae')`,
    code: 'TS2345',
    tells: nmae,
  },
  'a helper’s value': {
    source: `calls.mail({ to: 'x', lines: reference('†state.user.name'), count: 1 })`,
    code: 'TS2322',
    tells: ['string & ReferenceMark<"†state.user.name">', 'string[]'],
  },
  'an output path that the state does not have': {
    source: `calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.forcast' })`,
    code: 'TS2322',
    tells: ['†state has no forcast'],
  },
  'an output path for another type': {
    source: `calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.advice' })`,
    code: 'TS2322',
    tells: ['†state.advice is declared as another type'],
  },
  'an output path that is none': {
    source: `calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.' })`,
    code: 'TS2322',
    tells: ['†state. is no path'],
  },
  'a misspelt parameter': {
    source: `calls.mail({ to: 'x', lines: [], cuont: 2 })`,
    code: 'TS2561',
    tells: [`Did you mean to write 'count'?`],
  },
  'reading before writing': {
    source: `plan([{ _tool: 'advise', forecast: '†state.forecast', name: 'x' }])`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'a helper’s path that no step has written': {
    source: `plan([{ _tool: 'advise', forecast: reference('†state.forecast'), name: 'x' }])`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'reading what a later step writes': {
    source: `plan([{ _tool: 'advise', forecast: '†state.forecast', name: 'x' }, { _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast' }])`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'a plan’s path that leads nowhere': {
    source: `plan([{ _tool: 'mail', to: '†state.user.nmae', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: nmae,
  },
  'a path deep in a parameter': {
    source: `plan([{ _tool: 'mail', to: 'x', lines: ['a', '†state.user.nmae'], count: 1 }])`,
    code: 'TS2322',
    tells: nmae,
  },
  'an output that the next step does not take': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast' }, { _tool: 'mail', to: '†state.forecast', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: ['†state.forecast does not fit', 'string'],
  },
  'a part that an output does not have': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast' }, { _tool: 'mail', to: '†state.forecast.conditoins', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: ['†state.forecast has no conditoins', 'DidYouMean<"conditions">'],
  },
  'a failure that is read as the output': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast || †state.failure' }, { _tool: 'mail', to: 'x', lines: [], count: '†state.failure.message' }])`,
    code: 'TS2322',
    tells: ['†state.failure.message does not fit'],
  },
  'two steps that set one path': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast' }, { _tool: 'weatherCheck', location: 'y', _outputPath: '†state.forecast' }])`,
    code: 'TS2322',
    tells: ['an earlier step has set †state.forecast'],
  },
  'a step that writes another type than declared': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.days' }])`,
    code: 'TS2322',
    tells: ['†state.days is declared as another type'],
  },
  'an unknown Tool': {
    source: `plan([{ _tool: 'wetherCheck', location: 'x' }])`,
    code: 'TS2322',
    tells: ['there is no Tool wetherCheck', 'DidYouMean<"weatherCheck">'],
  },
  'an unknown parameter': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', lcation: 'x' }])`,
    code: 'TS2322',
    tells: ['weatherCheck has no lcation', 'DidYouMean<"location">'],
  },
  'a missing parameter': {
    source: `plan().step({ _tool: 'weatherCheck' })`,
    code: 'TS2345',
    tells: [`Property 'location' is missing`],
  },
  'a wrong type': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', days: 'two' }])`,
    code: 'TS2322',
    tells: ['another type is wanted', '"two"'],
  },
  'a chain that reads before it writes': {
    source: `plan().step({ _tool: 'advise', forecast: '†state.forecast', name: 'x' })`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'a chain that reads another type': {
    source: `plan().step(calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.forecast' })).step({ _tool: 'mail', to: '†state.forecast.temperature', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['†state.forecast.temperature does not fit'],
  },
  'a kind that the scopes do not let through': {
    source: `Activity.register('advise', (_call, _tool, context) => context.result)`,
    code: 'TS2339',
    tells: [`Property 'result' does not exist`, 'ScopedContext'],
  },
  'a part that the scopes do not let through': {
    source: `Activity.register('advise', (_call, _tool, context) => context.state.user.nmae)`,
    code: 'TS2339',
    tells: [`Property 'nmae' does not exist`],
  },
  'a context without scopes': {
    source: `Activity.register('mail', (_call, _tool, context) => void context.state)`,
    code: 'TS2339',
    tells: [`Property 'state' does not exist`, 'ActivityContext'],
  },
}
