import { createRegistry, isCallsheetError, tool, toolkit } from 'callsheet'
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

class Struct {
  readonly type = 'object'
  readonly schema = { a: {} }
  readonly validator = (): boolean => true
}

class Text {
  readonly type = 'string'
  readonly minLength = 2
}

/** As schemas of ArkType are: functions of which JSON asks what they are. */
function arktype(): unknown {
  return Object.assign(() => true, {
    '~standard': { vendor: 'arktype' },
    toJSON: () => ({ domain: 'string' }),
  })
}

/** What JSON keeps nothing of, or a part, although it stands where a schema belongs. */
const code: Readonly<Record<string, () => unknown>> = {
  'a function': () => Type.String,
  'an async function': () => async () => Type.String(),
  'a schema that is a function': arktype,
  'a schema of a class': () => new Struct(),
  'a copy of one': () => ({ ...new Struct() }),
  'a promise': () => Promise.resolve(Type.String()),
  'a Map': () => new Map([['type', 'string']]),
  'a Set': () => new Set(['string']),
  'a RegExp': () => /a+/,
  'inherited keywords': () => Object.create({ type: 'string' }),
  'a marked function': () => Type.Optional(Type.String as unknown as TSchema),
  'a class': () => Text,
}

/** The same schema, `{ type: 'string', minLength: 2 }`, of other objects than TypeBox makes. */
const schemas: Readonly<Record<string, () => unknown>> = {
  plain: () => Type.String({ minLength: 2 }),
  'of a class': () => new Text(),
  'that says its JSON': () => ({ toJSON: () => ({ type: 'string', minLength: 2 }), refine: () => true }),
  frozen: () => Object.freeze({ type: 'string', minLength: 2 }),
  'without a prototype': () => Object.assign(Object.create(null), { type: 'string', minLength: 2 }),
  'with what is annotated': () => ({ type: 'string', minLength: 2, default: () => 'x', 'x-show': () => 1 }),
}

/** Places of a schema within another one. */
const places: readonly ((schema: never) => object)[] = [
  (schema) => Type.Object({ a: schema }),
  (schema) => Type.Object({ items: schema, anyOf: Type.Null() }),
  (schema) => Type.Object({ properties: schema, allOf: Type.Null() }),
  (schema) => Type.Array(schema),
  (schema) => Type.Tuple([Type.Null(), schema]),
  (schema) => Type.Union([Type.Null(), schema]),
  (schema) => Type.Intersect([Type.Object({}), schema]),
  (schema) => Type.Record(Type.String(), schema),
  (schema) => ({ not: schema }),
  (schema) => ({ if: Type.Null(), else: schema }),
  (schema) => ({ $ref: '#/$defs/D', $defs: { D: schema } }),
  (schema) => ({ type: 'object', dependentSchemas: { a: schema }, unevaluatedProperties: false }),
]

const around = fc.record({
  within: fc.array(fc.nat(places.length - 1), { maxLength: 4 }),
  as: fc.constantFrom('parameter', 'output', 'meta-field' as const),
  isRegistered: fc.boolean(),
})

interface Around {
  readonly within: readonly number[]
  readonly as: 'parameter' | 'output' | 'meta-field'
  readonly isRegistered: boolean
}

/** Declares a Tool with a schema somewhere in it, or as a shared meta-field, which is text. @returns What is registered. */
function declared(schema: unknown, { within, as, isRegistered }: Around): unknown {
  const whole = within.reduce<unknown>((inner, place) => places[place]?.(inner as never), schema)
  const x =
    as === 'meta-field'
      ? toolkit('kit', { x: {} }, { meta: { _instance: schema as object } }).x
      : tool('x', (as === 'output' ? { _output: whole } : { a: whole }) as never)
  const name = as === 'meta-field' ? 'kit.x' : 'x'
  if (!isRegistered) return createRegistry({ tools: { [name]: x } }).Tool.get(name)
  const { Tool } = createRegistry()
  Tool.register(name, x)
  return Tool.get(name)
}

fuzz(
  'TOOL-10 code where a schema belongs is refused wherever it stands, and never read in part',
  300,
  fc.tuple(fc.constantFrom(...Object.keys(code)), around),
  ([what, where]) => {
    let thrown: unknown
    try {
      declared(code[what]?.(), where)
    } catch (error) {
      thrown = error
    }
    // What `toolkit` refuses itself is no schema at all.
    const codes =
      where.as === 'meta-field' ? ['unsupported_schema', 'invalid_options'] : ['unsupported_schema']
    expect(codes, `${what}, ${JSON.stringify(where)}`).toContain(isCallsheetError(thrown) && thrown.code)
  },
)

fuzz(
  'TOOL-10 a schema of any object means what its JSON says, wherever it stands',
  300,
  fc.tuple(fc.constantFrom(...Object.keys(schemas)), around),
  ([what, where]) => {
    const plain = JSON.stringify(declared({ type: 'string', minLength: 2 }, where))
    expect(JSON.stringify(declared(schemas[what]?.(), where))).toBe(plain)
  },
)
