import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { hasError } from '../../codegen/findings/has-error.ts'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { plainToolSchema } from '../../runtime/schema/plain-schema.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { often } from '../runs.ts'
import { define } from '../unit/codegen/build/define.ts'
import { fuzz } from './campaign.ts'
import { made } from './made.ts'

const seen = { built: 0, refused: 0, valid: 0, invalid: 0 }
const intersections = { ...seen }

const names = ['A', 'B', 'C'] as const
/** What a definition says, by few texts, so that several say the same and refer to others that do not. */
const leaves: readonly JsonSchema[] = [{ type: 'string' }, { type: 'number' }, { enum: ['x', 1] }]
const shapes: readonly ((to: (name: string) => Schema) => JsonSchema)[] = [
  (to) => ({ type: 'object', properties: { v: to('B'), n: to('A') }, additionalProperties: false }),
  (to) => ({ type: 'object', properties: { v: to('C') }, required: ['v'] }),
  (to) => ({ type: 'array', items: to('B') }),
  (to) => ({ anyOf: [{ type: 'null' }, to('C')] }),
  (to) => ({ type: 'object', properties: { n: { type: 'array', items: to('A') }, v: to('C') } }),
  ...leaves.map((leaf) => () => ({ ...leaf })),
]

/** Definitions by name, and how references to them are written. */
const scope = fc.record({
  texts: fc.tuple(...names.map(() => fc.nat(shapes.length - 1))),
  byPointer: fc.boolean(),
  /** Whether its references are objects that other scopes have as well. */
  shares: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 7),
})
type Scope = typeof scope extends fc.Arbitrary<infer Value> ? Value : never

/** One to three Tools with one to three parameters each, with definitions of their own. */
const project = fc.array(fc.array(scope, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })

/** Writes the definitions of a scope, beside what refers to one of them. */
function withScope(
  { texts, byPointer, shares }: Scope,
  common: Map<string, JsonSchema>,
  user: (to: (name: string) => JsonSchema) => JsonSchema,
): JsonSchema {
  const to = (name: string): JsonSchema => {
    const $ref = byPointer ? `#/$defs/${name}` : name
    const shared = common.get($ref) ?? { $ref }
    common.set($ref, shared)
    return shares ? shared : { $ref }
  }
  const $defs = names.map((name, index) => {
    const text = (shapes[texts[index] as number] as (typeof shapes)[number])(to)
    return [name, byPointer ? text : { $id: name, ...text }] as const
  })
  return {
    ...(byPointer && { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    $defs: Object.fromEntries($defs),
    ...user(to),
  }
}

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>('x', 'y', 1, 2, null),
    fc.record({ v: tie('value'), n: tie('value') }, { requiredKeys: [], noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
})).value

fuzz(
  'TOOL-7 definitions of the same texts and names that refer to different ones keep their meanings',
  200,
  fc.tuple(project, fc.array(value, { minLength: 12, maxLength: 12 })),
  ([tools, values]) => {
    const common = new Map<string, JsonSchema>()
    const parameters = tools.map((scopes) => scopes.map((each) => withScope(each, common, (to) => to('A'))))
    const alone = parameters.map((list) => list.map((each) => made(() => interpretCheck(each))))
    // A reference that leads only to itself is refused.
    if (alone.flat().includes(undefined)) return
    const { model, findings } = buildModel(
      parameters.map((list, index) =>
        define(`t${index}`, {
          type: 'object',
          properties: {
            _tool: { const: `t${index}` },
            ...Object.fromEntries(list.map((each, at) => [`p${at}`, each])),
          },
        }),
      ),
    )
    if (hasError(findings)) return void seen.refused++
    seen.built++
    for (const [index, checks] of alone.entries()) {
      const check = interpretCheck({ ...model.tools[index]?.schema, $defs: model.definitions })
      for (const [at, only] of checks.entries()) {
        for (const each of values) {
          const want = only?.(each)
          const call = { _tool: `t${index}`, [`p${at}`]: each }
          expect(check(call), JSON.stringify({ parameters, call })).toBe(want)
          seen[want ? 'valid' : 'invalid']++
        }
      }
    }
  },
)

/** How a part of an intersection uses its definition: in a property, or of all further ones. */
const uses: readonly ((to: JsonSchema) => JsonSchema)[] = [
  (to) => ({ properties: { p: to } }),
  (to) => ({ properties: { p: { type: 'array', items: to } } }),
  (to) => ({ properties: { p: { anyOf: [to, { type: 'null' }] } } }),
  (to) => ({ additionalProperties: to }),
]

fuzz(
  'TOOL-1 parts of an intersection whose texts are the same and refer to different definitions keep their meanings',
  200,
  fc.tuple(
    fc.tuple(scope, fc.option(scope)).map(([one, other]) => [one, other ?? one]),
    fc.constantFrom(...uses),
    fc.array(value, { minLength: 12, maxLength: 12 }),
  ),
  ([scopes, use, values]) => {
    const common = new Map<string, JsonSchema>()
    const parts = scopes.map((each) => withScope(each, common, (to) => use(to('A'))))
    const alone = parts.map((each) => made(() => interpretCheck(each)))
    const root = { type: 'object', properties: undefined, allOf: parts }
    const { model, findings } = buildModel([define('t', root)])
    const registered = made(() => plainToolSchema('t', root))
    // The generator refuses as well what shares an object that means several things.
    if (registered === undefined) expect(hasError(findings), JSON.stringify(root)).toBe(true)
    if (registered === undefined || alone.includes(undefined)) return void intersections.refused++
    intersections.built++
    const built = hasError(findings) ? [] : [{ ...model.tools[0]?.schema, $defs: model.definitions }]
    const checks = [registered, ...built].map((schema) => interpretCheck(schema as Schema))
    for (const p of values) {
      const want = alone.every((check) => check?.({ p }))
      for (const check of checks) {
        expect(check({ _tool: 't', p }), JSON.stringify({ root, p })).toBe(want)
      }
      intersections[want ? 'valid' : 'invalid']++
    }
  },
)

/** What several uses of one schema may say of it, some nothing. */
const said = fc.record(
  {
    description: fc.constantFrom('x', 'y'),
    default: fc.constantFrom({}, { v: 1 }),
    deprecated: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
)

fuzz(
  'TOOL-7 each use of a shared schema says of it what it said before it was shared',
  200,
  fc.tuple(
    fc.array(fc.array(said, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    fc.boolean(),
    fc.nat(1),
  ),
  ([tools, isExported, copies]) => {
    const schemas = Array.from({ length: copies + 1 }, () => ({ type: 'object', properties: { v: {} } }))
    const parameters = tools.map((list, index) =>
      list.map((each, at) => ({ ...schemas[(index + at) % schemas.length], ...each })),
    )
    const { model, findings } = buildModel([
      ...parameters.map((list, index) =>
        define(`t${index}`, {
          type: 'object',
          properties: {
            _tool: { const: `t${index}` },
            ...Object.fromEntries(list.map((each, at) => [`p${at}`, each])),
          },
        }),
      ),
      ...(isExported && schemas[0] ? [define('Part', schemas[0], 'shared')] : []),
    ])
    expect(findings).toEqual([])
    for (const [index, list] of parameters.entries()) {
      for (const [at, declared] of list.entries()) {
        const { $ref, ...beside } = (model.tools[index]?.schema.properties?.[`p${at}`] ?? {}) as JsonSchema
        const target = $ref === undefined ? {} : model.definitions[$ref.replace('#/$defs/', '')]
        expect({ ...target, ...beside }).toEqual(declared)
      }
    }
  },
)

test('the projects and intersections above are built and refused, and the values of both kinds', () => {
  for (const count of [seen, intersections].flatMap((each) => Object.values(each)))
    expect(count).toBeGreaterThan(often(10))
})
