import { describe, expect, test } from 'vitest'
import { type CompilerVersion, compilers, type Diagnostic, typeCheck } from '../types/compilers.ts'
import { type Misuse, misuses } from './misuse.ts'
import { generatedSources } from './project.ts'

const imports = "import { Activity, calls, plan, reference, Tool } from './index.js'\n"

const right = `${imports}
declare const text: string
const sent: Promise<void> = Tool(calls.mail({ to: '†state.user.name', lines: ['†state.user.name'], count: '†state.days' }))
void Tool(calls.mail({ to: 'me', lines: reference('†state.user.tags'), count: reference('†state.user.age || †state.days') }))
void Tool(calls.mail({ to: "†state.user.'any key'", lines: '†state.user.tags', count: 2 }))
void Tool(calls.mail({ to: text, lines: [text], count: text.length }))
void Tool(calls.mail({ to: \`†state.user.\${text}\`, lines: [], count: '†result.whatever' }))
void Tool(calls.mail({ to: '††state.user.nmae', lines: [], count: '†state.user.age' }))
void Tool(calls.mail({ to: '† see below', lines: [], count: '†state.byCity.Oslo.temperature' }))
void Tool({ _tool: 'mail', to: '†state.user.name', lines: [], count: '†state.user.age' })
void reference(text)

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
export const pushed = plan([
  { _tool: 'weatherCheck', location: 'Oslo', _outputPath: '†state.readings', _outputMethod: 'push' },
  { _tool: 'weatherCheck', location: 'Rome', _outputPath: '†state.readings', _outputMethod: 'push' },
  { _tool: 'advise', forecast: '†state.readings.0', name: 'x' },
])
export const computed = plan([
  { _tool: 'weatherCheck', location: 'Oslo', _outputPath: \`†state.\${text}\` },
  { _tool: 'advise', forecast: '†state.forecast', name: 'x' },
])
export const fromModel = plan.from([{ _tool: text }])

Activity.register('advise', (call, tool, context) => {
  const name: string = context.state.user.name
  const age: number | undefined = context.state.user.age
  const city: string = context.input.city
  return \`\${context.length} \${name} \${age} \${city} \${call.forecast.conditions} \${tool.title}\`
})
void sent
`

/** Without a declared context nothing is known of the paths, and nothing is said against them. */
const undeclared = `${imports}
void Tool(calls.mail({ to: '†state.user.nmae', lines: [], count: '†stat.x' }))
void reference('†state.anything')
export const listed = plan([
  { _tool: 'weatherCheck', location: '†input.city', _outputPath: '†state.forecast' },
  { _tool: 'advise', forecast: '†state.forecast', name: '†audit.name' },
])
export const built = plan([
  calls.weatherCheck({ location: 'Oslo' }, { _outputPath: '†state.forecast' }),
  { _tool: 'advise', forecast: '†state.forecast', name: 'x' },
])
`

const wrongWithout: Readonly<Record<string, Misuse>> = {
  'a path that nobody writes': {
    source: `plan([{ _tool: 'advise', forecast: '†state.forecast', name: 'x' }])`,
    code: 'TS2322',
    tells: ['no step before this one writes †state.forecast", "the project declares no state'],
  },
  'an output that the next step does not take': {
    source: `plan([{ _tool: 'weatherCheck', location: 'x', _outputPath: 'a.b' }, { _tool: 'mail', to: '†state.a.b', lines: [], count: 1 }])`,
    code: 'TS2322',
    tells: ['†state.a.b does not fit'],
  },
}

const versions = Object.keys(compilers) as CompilerVersion[]

describe.each(versions)('with TypeScript %s', (version) => {
  const declared = checked(version, generatedSources(true), right, Object.values(misuses))
  const without = checked(version, generatedSources(false), undeclared, Object.values(wrongWithout))

  test('TYPE-1 TYPE-3 TYPE-4 what is right compiles, and its declarations can be written', () => {
    expect(declared().in('right.ts')).toEqual([])
  })

  test('TYPE-1 a project without a declared context is told nothing that is not so', () => {
    expect(without().in('right.ts')).toEqual([])
  })

  test.each(Object.entries(misuses))(
    'TYPE-1 TYPE-3 TYPE-4 says what is wrong with %s',
    (name, { code, tells }) => {
      const [first] = declared().in('wrong.ts', Object.keys(misuses).indexOf(name))
      expect(first?.code).toBe(code)
      for (const fragment of tells) expect(first?.message).toContain(fragment)
    },
  )

  test.each(Object.entries(wrongWithout))('TYPE-3 without a declared context, %s', (name, { tells }) => {
    const [first] = without().in('wrong.ts', Object.keys(wrongWithout).indexOf(name))
    for (const fragment of tells) expect(first?.message).toContain(fragment)
  })
})

/** Checks a project with right and wrong uses, once, when first asked. */
function checked(
  version: CompilerVersion,
  generated: Record<string, string>,
  rightUse: string,
  wrongUses: readonly Misuse[],
) {
  let found: Diagnostic[] | undefined
  const wrong = imports + wrongUses.map(({ source }) => `void ${source}`).join('\n')
  return () => {
    const sources = { ...generated, 'right.ts': rightUse, 'wrong.ts': wrong }
    found ??= typeCheck(version, sources, { declaration: true, allowImportingTsExtensions: false })
    const all = found
    return {
      /** What is said about a file, or about one of the wrong uses. */
      in: (file: string, index?: number) =>
        all.filter((each) => each.file === file && (index === undefined || each.line === index + 2)),
    }
  }
}
