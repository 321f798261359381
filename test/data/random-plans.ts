import { createRegistry, isCallsheetError, tool } from 'callsheet'
import { type ComposeOptions, compose } from '../../runtime/compose/compose.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { RandomSource } from '../../runtime/testing/random-source.ts'
import { randomValue } from '../../runtime/testing/random-value.ts'

export type PlannedCall = { readonly _tool: string; readonly [name: string]: unknown }

const number: JsonSchema = { type: 'number' }
const text: JsonSchema = { type: 'string' }

/** Kinds of values; an output fits a parameter of the same kind. */
export const kinds: readonly JsonSchema[] = [
  number,
  { type: 'integer', minimum: 0, maximum: 9 },
  { type: 'boolean' },
  text,
  { type: 'string', pattern: '^[a-c]+$' },
  { enum: ['red', 'blue', 'green'] },
  { anyOf: [number, { type: 'null' }] },
  { type: 'array', items: number, maxItems: 3 },
  { type: 'object', properties: { x: number }, required: ['x'], additionalProperties: false },
  { type: 'array', prefixItems: [number, text], items: false, minItems: 2 },
  { type: 'string', format: 'date' },
  { type: 'object', additionalProperties: number },
  {
    type: 'object',
    properties: {
      at: { type: 'object', properties: { y: number }, required: ['y'] },
      on: { type: 'boolean' },
    },
    required: ['at'],
    additionalProperties: false,
  },
  { anyOf: [{ type: 'boolean' }, { type: 'array', items: text, maxItems: 2 }] },
]

/** A Tool of which the parameters and the output are of random kinds; it always writes. */
export interface RandomTool {
  readonly name: string
  /** The kind of each parameter: `p0`, `p1`, … */
  readonly takes: readonly number[]
  readonly gives: number
}

/** Tools of a few kinds, so that many of their outputs fit many of their parameters. */
export function randomTools(random: RandomSource, among: readonly JsonSchema[] = kinds): RandomTool[] {
  const some = random.shuffled(among).slice(0, 4)
  const kind = (): number => kinds.indexOf(random.pick(some))
  return Array.from({ length: random.between(2, 6) }, (_, index) => ({
    name: `tool${index}`,
    takes: Array.from({ length: random.between(0, 3) }, kind),
    gives: kind(),
  }))
}

export interface RegistryOptions extends Pick<ComposeOptions, 'references'> {
  /** Where each Tool writes, for models whose words are noise; a Call says it otherwise. */
  readonly pathOf?: (tool: RandomTool) => string
}

/** The Tools with Activities that return a random valid output, and their composed schema. */
export function registryOf(
  tools: readonly RandomTool[],
  random: RandomSource,
  { references, pathOf }: RegistryOptions = {},
) {
  const schemas = tools.map((made) =>
    tool(made.name, {
      ...Object.fromEntries(made.takes.map((kind, at) => [`p${at}`, kinds[kind] as JsonSchema])),
      _outputPath: pathOf ? { type: 'string', const: pathOf(made) } : { type: 'string' },
      _output: kinds[made.gives] as JsonSchema,
    }),
  )
  const { Tool, Activity } = createRegistry({
    tools: Object.fromEntries(tools.map(({ name }, at) => [name, schemas[at]])) as Record<string, object>,
  })
  for (const { name, gives } of tools) {
    // The same each time, so that a plan that is carried out again comes to the same.
    const output = randomValue(kinds[gives] as JsonSchema, random)
    Activity.register(name, () => output)
  }
  return { Tool, composed: compose(schemas, { activities: 'same-name', references }) }
}

interface Written {
  readonly path: string
  readonly schema: JsonSchema
}

export interface TypedPlanOptions {
  /** Also values inside of parameters may be References. */
  readonly isDeep?: boolean
  /** How many Calls it has at most. */
  readonly most?: number
}

/** A plan as the types take it: each Reference is to a write of the same kind, or to a part of one. */
export function typedPlan(
  tools: readonly RandomTool[],
  random: RandomSource,
  { isDeep = false, most = 6 }: TypedPlanOptions = {},
): PlannedCall[] {
  const written: Written[] = []
  const calls = Array.from({ length: random.between(1, most) }, (_, index): PlannedCall => {
    const { name, takes, gives } = random.pick(tools)
    const parameters = takes.map((kind, at): [string, unknown] => [
      `p${at}`,
      valueOrReference(kinds[kind] as JsonSchema, written, random, isDeep),
    ])
    const path = `†state.w${index}`
    written.push({ path, schema: kinds[gives] as JsonSchema }, ...partsOf(path, kinds[gives] as JsonSchema))
    return { ...envelope(name), _outputPath: path, ...Object.fromEntries(parameters) }
  })
  return random.shuffled(calls)
}

/** What is surely there inside of a value. */
function partsOf(path: string, { properties = {}, required = [], prefixItems = [] }: JsonSchema): Written[] {
  const members = Object.entries(properties).filter(([name]) => required.includes(name))
  const parts = [...members, ...prefixItems.map((item, at) => [String(at), item] as const)]
  return parts.flatMap(([name, schema]) => {
    if (typeof schema === 'boolean') return []
    const at = `${path}.${name}`
    return [{ path: at, schema }, ...partsOf(at, schema)]
  })
}

function valueOrReference(
  schema: JsonSchema,
  written: readonly Written[],
  random: RandomSource,
  isDeep: boolean,
): unknown {
  const asked = JSON.stringify(schema)
  const fitting = written.filter((each) => JSON.stringify(each.schema) === asked)
  if (fitting.length > 0 && random.chance(0.7)) {
    const { path } = random.pick(fitting)
    return random.chance(0.2) ? `†state.never || ${path}` : path
  }
  const value = plain(randomValue(schema, random))
  return isDeep ? withParts(value, schema, written, random) : value
}

/** The value with References in the place of values inside. */
function withParts(
  value: unknown,
  schema: JsonSchema,
  written: readonly Written[],
  random: RandomSource,
): unknown {
  const part = (of: unknown, fallback: unknown): unknown =>
    typeof of === 'object' && of !== null
      ? valueOrReference(of as JsonSchema, written, random, true)
      : fallback
  if (Array.isArray(value)) {
    return value.map((item, at) => part(schema.prefixItems?.[at] ?? schema.items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      part(schema.properties?.[name] ?? schema.additionalProperties, member),
    ]),
  )
}

function envelope(name: string) {
  return { _tool: name, _reasoningForCall: 'So.', _activity: name }
}

/** Text that begins like a Reference is no value of a typed plan. */
export function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^†+/, '')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

/** The texts of a plan's parameters that begin as References do. */
export function referencesIn(calls: readonly PlannedCall[]): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('†')) found.push(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
  }
  for (const call of calls) {
    for (const [name, value] of Object.entries(call)) if (!name.startsWith('_')) visit(value)
  }
  return found
}

/** What went wrong with one Call, or with a plan. */
export interface Failed {
  readonly code: string
  readonly call?: PlannedCall
  readonly problems: readonly { readonly path: string }[]
}

/** One entry for each Call that ran or failed; a plan that is refused as a whole is one error. */
export async function errorsOf(
  run: () => Promise<{
    readonly outcomes: readonly ({ readonly call: unknown; readonly error?: unknown } | undefined)[]
  }>,
): Promise<(Failed | undefined)[]> {
  try {
    const { outcomes } = await run()
    return outcomes.flatMap((outcome) => {
      if (!outcome) return []
      if (outcome.error === undefined) return [undefined]
      const { code, problems = [] } = outcome.error as Failed
      return [{ code, problems, call: outcome.call as PlannedCall }]
    })
  } catch (thrown) {
    if (!isCallsheetError(thrown)) throw thrown
    return [{ code: thrown.code, problems: thrown.problems ?? [] }]
  }
}

/** Every problem has to be at a Reference: one that leads nowhere, in a circle, or to a value of another type. */
export function isReferenceProblem({ code, call, problems }: Failed, calls: readonly PlannedCall[]): boolean {
  if (['unresolved_reference', 'invalid_path', 'plan_cycle'].includes(code)) return true
  if (code !== 'invalid_call' || problems.length === 0) return false
  return problems.every(({ path }) => {
    const segments = path.split('/').slice(1)
    return leadsToReference(call ?? calls, segments)
  })
}

/** True when a Reference stands on the way to a place, or inside of what is there. */
function leadsToReference(root: unknown, segments: readonly string[]): boolean {
  let value = root
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null) break
    value = (value as Record<string, unknown>)[segment]
  }
  return referencesIn([{ _tool: '', value }]).length > 0
}
