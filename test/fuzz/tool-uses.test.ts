import { createRegistry, defineContext } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { checkModel } from '../../codegen/check/check-model.ts'
import type { LoadedDefinition } from '../../codegen/model.ts'
import { type CompilerVersion, compilers, typeCheck } from '../types/compilers.ts'
import { define } from '../unit/codegen/build/define.ts'
import { typedSources } from '../unit/runtime/typed/typed-sources.ts'
import { type Judged, judgedSchema } from './judged-schema.ts'

const seconds = Number(process.env.FUZZ_SECONDS ?? 0)
const firstSeed = Number(process.env.FUZZ_SEED ?? (seconds > 0 ? Date.now() % 2 ** 31 : 20261122))
const versions = Object.keys(compilers).reverse() as CompilerVersion[]

/** One Tool whose parameter and output are of the schema. */
function definitionOf({ schema, definitions = {} }: Judged, index: number): LoadedDefinition {
  const name = `t${index}`
  return define(name, {
    type: 'object',
    properties: { _tool: { const: name }, it: schema, _output: schema, _outputPath: { type: 'string' } },
    required: ['_tool', 'it'],
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  })
}

const isAccepted = (definition: LoadedDefinition): boolean => {
  const { model, findings } = buildModel([definition])
  return [...findings, ...checkModel(model, [definition])].every(({ severity }) => severity !== 'error')
}

/** A context in which each Tool has a place for its output. */
function contextFor(tools: readonly (Judged & { readonly name: string })[]): LoadedDefinition {
  const places = tools.map(({ name, schema, definitions }) => [name, definitions ? {} : schema])
  const properties = { name: { type: 'string' }, ...Object.fromEntries(places) }
  return define(
    'context',
    defineContext({ state: { type: 'object', properties, required: ['name'] } }),
    'state',
  )
}

type Use = (name: string, value: string) => string

/** What a program does with a Call whose text stands in it. */
const literals: Readonly<Record<string, Use>> = {
  literal: (name, value) => `void Tool({ _tool: '${name}', it: ${value} })`,
  run: (name, value) => `void Tool.run({ _tool: '${name}', it: ${value} })`,
  group: (name, value) => `void Tool.all([{ _tool: '${name}', it: ${value} }])`,
  plan: (name, value) => `void plan([{ _tool: '${name}', it: ${value} }])`,
  written: (name, value) => `void Tool({ _tool: '${name}', it: ${value}, _outputPath: '†state.${name}' })`,
  step: (name, value) => `void plan().step({ _tool: '${name}', it: ${value} })`,
}
const built: Use = (name, value) => `void Tool(calls.${name}({ it: ${value} }))`
/** The same where the value comes from elsewhere. */
const brought: Readonly<Record<string, Use>> = {
  constant: (name, value) =>
    `{ const call = { _tool: '${name}', it: ${value} } as const; void Tool(call); void plan([call]) }`,
  spread: (name, value) =>
    `{ const given = { it: ${value} } as const; void Tool({ _tool: '${name}', ...given }) }`,
}
/** The same where it comes out. */
const activities: Readonly<Record<string, Use>> = {
  'async Activity': (name, value) => `Activity.register('${name}', async () => (${value}))`,
  Activity: (name, value) => `Activity.register('${name}', (call) => { void call.it; return ${value} })`,
  'constant of an Activity': (name, value) =>
    `{ const it = { it: ${value} } as const; Activity.register('${name}', () => it.it) }`,
}

/** Of an empty list or object TypeScript infers a type that others beside it in a list are swallowed by. */
const isCertain = (value: string): boolean => !/\{\}|\[\]/.test(value)

/** To the compiler a promise is an object that may have a `then` of any kind. */
const isLikePromise = (schema: unknown): boolean => JSON.stringify(schema).includes('"then":{}')

interface Line {
  readonly source: string
  readonly name: string
  readonly value: string
  /** How long what is said of it may be at most; none where only that it is wrong matters. */
  readonly longest?: number
}

/** Of a value that comes from elsewhere the compiler prints the type. */
const longest = { literal: 300, brought: 600 }

const head =
  "import { Activity, calls, plan, Tool } from './index.js'; void [Activity, calls, plan, Tool]; export {}"
const internalTypes =
  /\b(BuiltCall|NoInfer|Told|Wrong\w+|PathProblem|Check\w+|ActivityResult|ActivityFunction|Writable)<|needs \$\{/

interface Told {
  readonly source: string
  readonly first: string
}

/** The first line of what the compiler says of each line that it says something of. */
function check(
  version: CompilerVersion,
  files: Record<string, string>,
  lines: readonly Line[],
): Map<Line, string> {
  const use = [head, ...lines.map(({ source }) => source)].join('\n')
  const told = new Map<Line, string>()
  for (const { file, line, message } of typeCheck(version, { ...files, 'use.ts': use })) {
    const of = lines[line - 2]
    if (file !== 'use.ts' || !of) throw new Error(`${file}:${line} ${message}`)
    if (!told.has(of)) told.set(of, message.split('\n')[0] ?? '')
  }
  return told
}

/** One project of random Tools: what of its Calls the compiler judges otherwise than the runtime does, or in unclear words. */
async function misjudged(seed: number, count: number, version: CompilerVersion): Promise<object> {
  const judged = fc.sample(judgedSchema, { numRuns: count, seed })
  const tools = judged
    .map((each, index) => ({ ...each, name: `t${index}`, definition: definitionOf(each, index) }))
    .filter(({ definition }) => isAccepted(definition))
  const { Tool } = createRegistry({
    tools: Object.fromEntries(tools.map(({ name, definition }) => [name, Object(definition.value)])),
  })
  Tool.on('activity:latent', () => {})
  const isTaken = async (name: string, it: unknown): Promise<boolean> =>
    (await Tool.run({ _tool: name, it })).error?.code !== 'invalid_call'

  const right: Line[] = []
  const wrong: Line[] = []
  const declared = seed % 2 === 0
  const inLiterals = Object.values(declared ? { ...literals, built } : literals)
  const lines = (uses: readonly Use[], name: string, value: unknown, longest?: number): Line[] => {
    const text = JSON.stringify(value)
    return uses.map((use) => ({ source: use(name, text), name, value: text, ...(longest && { longest }) }))
  }
  for (const { name, schema, right: fitting, wrong: failing, surplus = [] } of tools) {
    for (const value of fitting) {
      if (!(await isTaken(name, value))) continue
      right.push(
        ...lines(
          [...Object.values({ ...literals, ...brought }), built, ...Object.values(activities)],
          name,
          value,
        ),
      )
    }
    for (const value of failing) {
      if (await isTaken(name, value)) continue
      wrong.push(
        ...lines(inLiterals, name, value, longest.literal),
        ...lines(
          isCertain(JSON.stringify(value)) ? Object.values(brought) : [],
          name,
          value,
          longest.brought,
        ),
        ...lines(
          isCertain(JSON.stringify(value)) && !isLikePromise(schema) ? Object.values(activities) : [],
          name,
          value,
        ),
      )
    }
    for (const value of surplus) {
      if (!(await isTaken(name, value))) wrong.push(...lines(inLiterals, name, value, longest.literal))
    }
  }
  const { model } = buildModel([
    ...tools.map(({ definition }) => definition),
    ...(declared ? [contextFor(tools)] : []),
  ])
  const files = typedSources(model)
  const refused = check(version, files, right)
  const found = check(version, files, wrong)
  const isNamed = (name: string, first: string): boolean =>
    first.includes(`${name}.`) || first.includes(`${name} `) || first.includes('known properties')
  // The compiler's own words for one property too many begin with its name, and print the whole type after it.
  const isUnclear = ({ value, longest = 0 }: Line, first: string): boolean =>
    internalTypes.test(first) ||
    (value.length < 80 && isCertain(value) && first.length >= longest && !first.includes('known properties'))
  const telling = [...found].filter(([{ longest }]) => longest !== undefined)
  const unnamed = telling.filter(([{ name }, first]) => !isNamed(name, first))
  const told = ([{ source }, first]: [Line, string]): Told => ({ source, first })
  return {
    tried: { right: right.length, wrong: wrong.length },
    refused: [...refused].map(told),
    taken: wrong.filter((line) => !found.has(line)).map(({ source }) => source),
    unclear: telling.filter(([line, first]) => isUnclear(line, first)).map(told),
    // Where several shapes are as near, the compiler's own words are left, which name no Tool.
    unnamed: unnamed.length <= telling.length / 10 ? [] : unnamed.map(told),
  }
}

test(`TYPE-6, TYPE-7 the compiler takes the Calls that the runtime takes, and says what is wrong with others: seed ${firstSeed}`, {
  timeout: 120_000 + seconds * 2000,
}, async () => {
  const end = Date.now() + seconds * 1000
  let round = 0
  do {
    const seed = firstSeed + round
    const version = versions[round % versions.length] as CompilerVersion
    const { tried, ...found } = (await misjudged(seed, 14, version)) as { tried: object }
    if (seconds > 0) console.info(`FUZZ_SEED=${seed}, TypeScript ${version}:`, tried)
    expect(found, `FUZZ_SEED=${seed}, TypeScript ${version}`).toEqual({
      refused: [],
      taken: [],
      unclear: [],
      unnamed: [],
    })
    round++
  } while (Date.now() < end)
})
