import type { Misuse } from '../../../types/type-project.ts'

const nmae = ['†state.user has no nmae. Did you mean name?']

/** What a project that declares its context is told. */
export const misuses: Readonly<Record<string, Misuse>> = {
  'a constant’s path': {
    source: `Tool({ _tool: 'mail', to: 'x', count: 1, lines: (['†state.user.nmae'] as const) } as const)`,
    code: 'TS2322',
    tells: nmae,
  },
  'a path without a near name': {
    source: `calls.mail({ to: '†state.zzz', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['mail.to: †state has no zzz. Known: ', ', …'],
  },
  'a place that a list of any length cannot have': {
    source: `Tool({ _tool: 'mail', to: '†state.user.tags.first', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['"mail.to: †state.user.tags has no first"'],
  },
  'a value that fits only at times': {
    source: `calls.mail({ to: '†state.user.age || †input.city', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['mail.to: †state.user.age || †input.city may be a number, not a string'],
  },
  'an output path that is none of a few': {
    source: `Tool({ _tool: 'keep', _outputPath: '†state.user' })`,
    code: 'TS2322',
    tells: ["keep._outputPath takes '†state.", "' or '†state."],
  },
  'a built Call that writes nowhere before a step that reads': {
    source: `plan([calls.brief(), { _tool: 'advise', forecast: '†state.forecast', name: 'x' }])`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'an option that does not exist, of a built Call': {
    source: `void Tool(calls.mail({ to: 'x', lines: [], count: 1 }), { timout: 5 })`,
    code: 'TS2561',
    tells: ["'timout' does not exist in type 'RunOptions'", "'timeout'"],
  },
  'a wrong option of a built Call that is run': {
    source: `void Tool.run(calls.mail({ to: 'x', lines: [], count: 1 }), { timeout: '5' })`,
    code: 'TS2322',
    tells: [`'string' is not assignable to type 'number'`],
  },
  'a further item of a list whose first may be anything': {
    source: `Tool({ _tool: 'tally', counts: {}, row: [true, 'b'] })`,
    code: 'TS2322',
    tells: ['tally.row takes '],
  },
  'an object that may also be a text, which no value is': {
    source: `const told: 5 = {} as import('callsheet/wiring').WrongCall<{ _tool: 't', it: { new: { a: 1 } } }, { _tool: 't', it: { kind?: 'only', new: { a: [1] } } & ({ [key: string]: string | null } | string | null) }, 't'>`,
    code: 'TS2322',
    tells: ['t.it.new.a takes a list'],
  },
  'a wrong value under a free key': {
    source: `Tool({ _tool: 'tally', counts: { a: 1, b: 'x' } })`,
    code: 'TS2322',
    tells: ['tally.counts.b takes a number or a Reference'],
  },
  'a wrong value under a free key of a builder': {
    source: `calls.tally({ counts: { a: 1, b: true } })`,
    code: 'TS2322',
    tells: ['tally.counts.b takes a number or a Reference'],
  },
  'an output with a wrong value under a free key': {
    source: `Activity.register('tally', async () => ({ total: { a: 'x' } }))`,
    code: 'TS2345',
    tells: ['tally._output.total.a must be a number'],
  },
  'a wrong member that a spread brings': {
    source: `const brought = { to: 1, lines: ['a'] }; void Tool({ _tool: 'mail', ...brought, count: 1 })`,
    code: 'TS2345',
    tells: ['readonly to: "mail.to takes a string"'],
  },
  'a wrong member that a spread brings to a builder': {
    source: `const given = { count: '1' }; void calls.mail({ to: 'x', lines: [], ...given })`,
    code: 'TS2345',
    tells: ['readonly count: "mail.count takes a number or a Reference"'],
  },
  'a wrong Call in a variable': {
    source: `const misfit = { _tool: 'mail' as const, to: 1, lines: ['a'], count: 1 }; void plan([misfit])`,
    code: 'TS2322',
    tells: ['readonly to: "mail.to takes a string"'],
  },
  'a wrong member in a variable, deep': {
    source: `const narrow = { width: 'x' }; void Tool.run({ _tool: 'rate', data: 1, at: { where: { kind: 'area', size: narrow } } })`,
    code: 'TS2322',
    tells: ['readonly width: "rate.at.where.size.width takes a number'],
  },
  'a Call whose name comes from a spread': {
    source: `const named = { _tool: 'mail' as const }; void Tool({ ...named, to: 'x' })`,
    code: 'TS2345',
    tells: ['mail needs ', 'lines', 'count'],
  },
  'a shape that no constant names': {
    source: `Tool({ _tool: 'rate', data: 1, at: { where: { kind: 'circle', size: { width: 1 } } } })`,
    code: 'TS2322',
    tells: ['rate.at.where.kind takes ', "'area'", "'point'", ' or a Reference'],
  },
  'a wrong member of one of several shapes': {
    source: `Tool({ _tool: 'rate', data: 1, at: { where: { kind: 'area', size: { width: 'x' } } } })`,
    code: 'TS2322',
    tells: ['rate.at.where.size.width takes a number or a Reference'],
  },
  'a missing member of one of several shapes': {
    source: `calls.rate({ data: 1, at: { where: { kind: 'area', size: {} } } })`,
    code: 'TS2322',
    tells: ['rate.at.where.size needs width'],
  },
  'a misspelt member of one of several shapes': {
    source: `calls.rate({ data: 1, at: { where: { kind: 'area', size: { wdith: 1 } } } })`,
    code: 'TS2561',
    tells: ["Did you mean to write 'width'?"],
  },
  'a wrong value in one of two Calls': {
    source: `Tool(either ? { _tool: 'weatherCheck', location: 1 } : { _tool: 'mail', to: 'x', lines: [], count: 1 })`,
    code: 'TS2345',
    tells: ['readonly location: "weatherCheck.location takes a string"'],
  },
  'a missing parameter in one of two Calls': {
    source: `plan([either ? { _tool: 'weatherCheck' } : { _tool: 'weatherCheck', location: 'x' }])`,
    code: 'TS2322',
    tells: ['readonly _tool: "weatherCheck needs location"'],
  },
  'a missing parameter of a builder in one of two cases': {
    source: `calls.weatherCheck(either ? { location: 'x' } : { days: 1 })`,
    code: 'TS2345',
    tells: ['"weatherCheck needs location"'],
  },
  'a missing member of one of two items': {
    source: `Tool({ _tool: 'rate', data: 1, at: { where: either ? { kind: 'area', size: { width: 1 } } : { kind: 'area' } } })`,
    code: 'TS2322 TS2345',
    tells: ['rate.at.where needs size'],
  },
  'a value that may be undefined': {
    source: `Tool({ _tool: 'weatherCheck', location: 'x', days: perhaps })`,
    code: 'TS2322',
    tells: [
      `Type 'number | undefined' is not`,
      'weatherCheck.days takes a number or a Reference, not undefined',
    ],
  },
  'a value that may be undefined in a builder': {
    source: `calls.mail({ to: 'x', lines: either ? ['a'] : undefined, count: 1 })`,
    code: 'TS2322',
    tells: ['mail.lines takes a list or a Reference, not undefined'],
  },
  'a member that may be undefined': {
    source: `plan([{ _tool: 'rate', data: 1, at: { where: { kind: 'area', size: { width: perhaps } } } }])`,
    code: 'TS2322',
    tells: ['rate.at.where.size.width takes a number or a Reference, not undefined'],
  },
  'a wrong value that may be undefined as well': {
    source: `Tool({ _tool: 'mail', to: 'x', lines: either ? [true] : undefined, count: 1 })`,
    code: 'TS2322',
    tells: ['mail.lines takes'],
  },
  'an item of a tuple': {
    source: `plan([{ _tool: 'rate', data: 1, at: { where: { kind: 'point', spot: ['x', 'y'] } } }])`,
    code: 'TS2322',
    tells: ['rate.at.where.spot takes a number or a Reference'],
  },
  'a tuple that is too short': {
    source: `Tool({ _tool: 'rate', data: 1, at: { where: { kind: 'point', spot: [1] } } })`,
    code: 'TS2322',
    tells: ['rate.at.where.spot takes a list of another length or shape'],
  },
  'a Reference at the wrong place of a tuple': {
    source: `Tool({ _tool: 'rate', data: 1, at: { where: { kind: 'point', spot: ['†state.user.name', 'x'] } } })`,
    code: 'TS2322',
    tells: ['†state.user.name is a string, not a number'],
  },
  'a constant that the output does not allow': {
    source: `Activity.register('rate', async () => 'medium')`,
    code: 'TS2345',
    tells: ['rate._output must be ', "'low'", "'high'"],
  },
  'a constant that a property of the output does not allow': {
    source: `Activity.register('judge', async () => ({ mood: 'good', confidence: 1 }))`,
    code: 'TS2345',
    tells: ['judge._output.mood must be ', "'positive'", "'neutral'", "'negative'"],
  },
  'a path that leads nowhere': {
    source: `calls.mail({ to: '†state.user.nmae', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: nmae,
  },
  'a kind that is not declared': {
    source: `calls.mail({ to: 'x', lines: [], count: '†stat.days' })`,
    code: 'TS2322',
    tells: ['mail.count: no stat is declared. Did you mean state?'],
  },
  'a value that the parameter does not take': {
    source: `calls.mail({ to: '†state.days', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['mail.to: †state.days is a number, not a string'],
  },
  'a text where a number is wanted': {
    source: `calls.mail({ to: 'x', lines: [], count: '†state.user.name' })`,
    code: 'TS2322',
    tells: ['mail.count: †state.user.name is a string, not a number'],
  },
  'a text that is no Reference': {
    source: `calls.mail({ to: 'x', lines: [], count: '† three' })`,
    code: 'TS2322',
    tells: ['mail.count: † three is a string, not a number'],
  },
  'a literal Call': {
    source: `Tool({ _tool: 'mail', to: 'x', lines: [], count: '†state.dasy' })`,
    code: 'TS2322',
    tells: ['mail.count: †state has no dasy. Did you mean days?'],
  },
  'a literal Call’s text': {
    source: `Tool({ _tool: 'mail', to: '†state.user.nmae', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: nmae,
  },
  'a text deep in a literal Call': {
    source: `Tool({ _tool: 'mail', to: 'x', lines: ['a', '†state.user.nmae'], count: 1 })`,
    code: 'TS2322',
    tells: nmae,
  },
  'a number deep in a literal Call': {
    source: `Tool({ _tool: 'advise', forecast: { temperature: '†state.user.name', conditions: 'x' }, name: 'x' })`,
    code: 'TS2322',
    tells: ['advise.forecast: †state.user.name is a string, not a number'],
  },
  'a literal Call in a group': {
    source: `Tool.all([{ _tool: 'mail', to: '†state.user.nmae', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: nmae,
  },
  'an Activity elsewhere of a name that no Tool has': {
    source: `Activity.declare('advise', 'wetherCheck')`,
    code: 'TS2345',
    tells: ['wetherCheck', 'keyof Activities'],
  },
  'a helper’s path within a Call': {
    source: `calls.mail({ to: reference('†state.user.nmae'), lines: [], count: 1 })`,
    code: 'TS2345',
    tells: nmae,
  },
  'a helper’s path': { source: `reference('†state.user.nmae')`, code: 'TS2345', tells: nmae },
  'a helper’s text': {
    source: `reference('hello')`,
    code: 'TS2345',
    tells: ['hello is not a Reference'],
  },
  'an alternative that leads nowhere': {
    source: `reference('†state.user.name || †state.user.nmae')`,
    code: 'TS2345',
    tells: nmae,
  },
  'a helper’s value': {
    source: `calls.mail({ to: 'x', lines: reference('†state.user.name'), count: 1 })`,
    code: 'TS2322',
    tells: ['mail.lines takes a list or a Reference'],
  },
  'an output path that the state does not have': {
    source: `calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.forcast' })`,
    code: 'TS2322',
    tells: ['weatherCheck._outputPath: †state has no forcast. Did you mean ', 'forecast'],
  },
  'an output path for another type': {
    source: `calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.advice' })`,
    code: 'TS2322',
    tells: ['†state.advice is declared as a string, and the output is an object'],
  },
  'an output path of a literal Call that the state does not have': {
    source: `Tool({ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forcast' })`,
    code: 'TS2322',
    tells: ['weatherCheck._outputPath: †state has no forcast. Did you mean ', 'forecast'],
  },
  'an output path of a literal Call for another type': {
    source: `Tool.all([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.advice' }])`,
    code: 'TS2322',
    tells: ['†state.advice is declared as a string, and the output is an object'],
  },
  'an output path that is none': {
    source: `calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.' })`,
    code: 'TS2322',
    tells: ['†state. is not a path'],
  },
  'a missing parameter of a builder': {
    source: `calls.mail({ to: 'x', lines: [] })`,
    code: 'TS2345',
    tells: ['mail needs count'],
  },
  'a mistyped parameter of a builder': {
    source: `calls.mail({ to: 1, lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['mail.to takes a string'],
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
    tells: ['mail.to: †state.forecast is an object, not a string'],
  },
  'a part that an output does not have': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast' }, { _tool: 'mail', to: '†state.forecast.conditoins', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: ['mail.to: †state.forecast has no conditoins. Did you mean conditions?'],
  },
  'a failure that is read as the output': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast || †state.failure' }, { _tool: 'mail', to: 'x', lines: [], count: '†state.failure.message' }])`,
    code: 'TS2322',
    tells: ['mail.count: †state.failure.message is a string, not a number'],
  },
  'two steps that set one path': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.forecast' }, { _tool: 'weatherCheck', location: 'y', _outputPath: '†state.forecast' }])`,
    code: 'TS2322',
    tells: ['an earlier step has set †state.forecast'],
  },
  'a step that writes another type than declared': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: '†state.days' }])`,
    code: 'TS2322',
    tells: ['†state.days is declared as a number, and the output is an object'],
  },
  'an unknown Tool': {
    source: `plan([{ _tool: 'wetherCheck', location: 'x' }])`,
    code: 'TS2820',
    tells: [`Did you mean '"weatherCheck"'?`],
  },
  'an unknown parameter': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', lcation: 'x' }])`,
    code: 'TS2561',
    tells: ["'lcation' does not exist in type 'WeatherCheckCall'. Did you mean to write 'location'?"],
  },
  'a missing parameter': {
    source: `plan().step({ _tool: 'weatherCheck' })`,
    code: 'TS2322',
    tells: ['weatherCheck needs location'],
  },
  'a wrong type': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', days: 'two' }])`,
    code: 'TS2322',
    tells: ['weatherCheck.days takes a number or a Reference'],
  },
  'a wrong plan that is used': {
    source: `export const steps = plan([{ _tool: 'advise', forecast: '†state.forecast', name: 'x' }]).step(calls.brief()).calls.length`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'a chain that reads before it writes': {
    source: `plan().step({ _tool: 'advise', forecast: '†state.forecast', name: 'x' })`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast'],
  },
  'a chain that reads another type': {
    source: `plan().step(calls.weatherCheck({ location: 'x' }, { _outputPath: '†state.forecast' })).step({ _tool: 'mail', to: '†state.forecast.temperature', lines: [], count: 1 })`,
    code: 'TS2322',
    tells: ['mail.to: †state.forecast.temperature is a number, not a string'],
  },
  'a wrong constant of an Activity whose name is said as a type': {
    source: `Activity.register<'rate'>('rate', async () => 'lwo')`,
    code: 'TS2322',
    tells: ['lwo', 'RateOutput'],
    below: true,
  },
  'a wrong Activity whose name is said as a type': {
    source: `Activity.register<'advise'>('advise', () => 1)`,
    code: 'TS2322',
    tells: ["'number' is not assignable to type"],
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
