import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

/** A schema, a few values that it accepts, and a few that it refuses for a reason that a type can say. */
export interface Judged {
  readonly schema: Schema
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
  /** Refused for a property too many or misspelt, which the compiler sees in literals, and outside of unions. */
  readonly surplus?: readonly unknown[]
  /** What `$ref` names, by name. */
  readonly definitions?: Readonly<Record<string, Schema>>
}

type Part = fc.Arbitrary<Judged>

/** Names that need quotes or are words of the language. None that every object or list has to TypeScript. */
const names = [
  ...['a', 'b', 'kind', 'id', 'value', 'name', 'class', 'default', 'new', 'type', 'this', 'await'],
  ...['two words', 'x-y', '0', '10', 'a.b', '$', 'é', "it's", 'then', 'told'],
]
const name = fc.constantFrom(...names)

/**
 * Fits every text that a value here has. What a pattern refuses only the runtime knows: in a union the wrong value of one
 * member would be of the type of another, and the compiler right to take it.
 */
const anyText = '^[^!]*$'
const most = 6

const leaves: readonly Judged[] = [
  { schema: { type: 'string' }, right: ['', 'x', 'see 1'], wrong: [1, null, {}, []] },
  { schema: { type: 'number' }, right: [0, -1.5, 1e21], wrong: ['1', null, [1], {}] },
  { schema: { type: 'integer' }, right: [0, 7], wrong: ['7', true] },
  { schema: { type: 'boolean' }, right: [true, false], wrong: ['true', 0] },
  { schema: { type: 'null' }, right: [null], wrong: ['null', {}] },
  { schema: { enum: ['low', 'high', "it's"] }, right: ['low', "it's"], wrong: ['hihg', 1, null] },
  { schema: { enum: ['a', 1, null, true] }, right: ['a', 1, null, true], wrong: ['b', 2, false, {}] },
  { schema: { const: 'only' }, right: ['only'], wrong: ['onyl', 0] },
  { schema: { const: 5 }, right: [5], wrong: [6, '5'] },
  { schema: { const: { a: [1] } }, right: [{ a: [1] }], wrong: [{ a: [2] }, { a: 1 }, {}] },
  { schema: { const: [1, 'x'] }, right: [[1, 'x']], wrong: [[1], ['x', 1], {}] },
  { schema: { type: ['string', 'null'] }, right: ['x', null], wrong: [1, {}] },
  {
    schema: { type: ['number', 'array'], items: { type: 'string' } },
    right: [1, [], ['x']],
    wrong: [[1], 'x', {}],
  },
  { schema: { type: 'string', pattern: anyText }, right: ['abc'], wrong: [1] },
  { schema: {}, right: [1, 'x', null, { a: { b: [] } }, [[1]]], wrong: [] },
  { schema: { type: 'object' }, right: [{}, { any: 1 }], wrong: [1, 'x', null] },
  { schema: { type: 'array' }, right: [[], [1, 'x', {}]], wrong: [1, {}, 'x'] },
  {
    schema: { enum: Array.from({ length: 60 }, (_, index) => `value-${index}`) },
    right: ['value-0', 'value-59'],
    wrong: ['value-60', 1],
  },
  {
    schema: { $ref: '#/$defs/Tree' },
    right: [{ name: 'x' }, { name: 'x', children: [{ name: 'y', children: [] }] }],
    wrong: [{}, { name: 1 }, { name: 'x', children: [{ nmae: 'y' }] }, { name: 'x', children: {} }, []],
    definitions: {
      Tree: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
        },
        required: ['name'],
        additionalProperties: false,
      },
    },
  },
  {
    schema: { $ref: '#/$defs/Filter' },
    right: [
      { op: 'eq', field: 'a', value: 1 },
      { op: 'not', arg: { op: 'eq', field: 'a', value: null } },
      {
        op: 'and',
        args: [
          { op: 'and', args: [] },
          { op: 'eq', field: 'a', value: 'x' },
        ],
      },
    ],
    wrong: [
      { op: 'eq', field: 'a' },
      { op: 'eq', feild: 'a', value: 1 },
      { op: 'xor', args: [] },
      { op: 'and', args: [{ op: 'eq', field: 1, value: 1 }] },
      { op: 'not', arg: [] },
      { args: [] },
    ],
    definitions: {
      Filter: {
        anyOf: [
          closed({
            op: { const: 'eq' },
            field: { type: 'string' },
            value: { type: ['string', 'number', 'null'] },
          }),
          closed({ op: { const: 'not' }, arg: { $ref: '#/$defs/Filter' } }),
          closed({ op: { enum: ['and', 'or'] }, args: { type: 'array', items: { $ref: '#/$defs/Filter' } } }),
        ],
      },
    },
  },
  {
    schema: { $ref: '#/$defs/Json' },
    right: [1, 'x', null, [1, ['x']], { a: { b: [null] } }],
    wrong: [true, [true], { a: [{ b: false }] }],
    definitions: {
      Json: {
        anyOf: [
          { type: ['string', 'number', 'null'] },
          { type: 'array', items: { $ref: '#/$defs/Json' } },
          { type: 'object', additionalProperties: { $ref: '#/$defs/Json' } },
        ],
      },
    },
  },
]

function closed(properties: Readonly<Record<string, Schema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

const definitionsOf = (parts: readonly Judged[]): Pick<Judged, 'definitions'> => ({
  definitions: Object.assign({}, ...parts.map(({ definitions }) => definitions)),
})

/** A few of many, from all over the list. */
function some(values: readonly unknown[], salt: number): unknown[] {
  if (values.length <= most) return [...values]
  return Array.from(
    { length: most },
    (_, index) => values[(salt + index * Math.ceil(values.length / most)) % values.length],
  )
}

interface MemberOf {
  readonly name: string
  readonly part: Judged
  readonly isOptional: boolean
}

const nth = (values: readonly unknown[], index: number): unknown => values[index % values.length]

function objectOf(members: readonly MemberOf[], isClosed: boolean, salt: number): Judged {
  const entries = (round: number): [string, unknown][] =>
    members.map(({ name, part }) => [name, nth(part.right, round)])
  const whole = (round: number): object => Object.fromEntries(entries(round))
  const without = (gone: string): object => Object.fromEntries(entries(0).filter(([name]) => name !== gone))
  const wrong: unknown[] = members.flatMap(({ name, part, isOptional }) => [
    ...part.wrong.map((value) => ({ ...whole(0), [name]: value })),
    ...(isOptional ? [] : [without(name)]),
  ])
  const misspelt = (wrongly: string): object =>
    Object.fromEntries(entries(1).map(([name, value]) => [name === wrongly ? `${name}x` : name, value]))
  const surplus: unknown[] = [
    ...members.flatMap(({ name, part }) =>
      (part.surplus ?? []).map((value) => ({ ...whole(0), [name]: value })),
    ),
    ...(isClosed ? [{ ...whole(0), surplus: 1 }, ...members.map(({ name }) => misspelt(name))] : []),
  ]
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map(({ name, part }) => [name, part.schema])),
      required: members.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
      ...(isClosed && { additionalProperties: false }),
    },
    right: [
      whole(0),
      whole(1),
      Object.fromEntries(entries(2).filter((_, index) => !members[index]?.isOptional)),
    ],
    wrong: some([...wrong, 'x', 1, [], null], salt),
    surplus: some(surplus, salt),
    ...definitionsOf(members.map(({ part }) => part)),
  }
}

/** Schemas of the kinds that people write, with right and wrong values of each. */
export const judgedSchema: Part = fc.letrec<{ part: Judged; object: Judged }>((tie) => {
  const part = tie('part') as Part
  const salt = fc.nat(99)
  const member = fc.record({ name, part, isOptional: fc.boolean() })
  const members = fc.uniqueArray(member, { selector: (each) => each.name, minLength: 1, maxLength: 4 })
  const object = fc
    .tuple(members, fc.boolean(), salt)
    .map(([list, isClosed, at]) => objectOf(list, isClosed, at))
  const list = fc.tuple(part, salt).map(([item, at]) => ({
    schema: { type: 'array', items: item.schema },
    right: [[], item.right.slice(0, 3), [item.right[0]]],
    wrong: some([...item.wrong.flatMap((value) => [[value], [item.right[0], value]]), 'x', 1, null], at),
    surplus: (item.surplus ?? []).map((value) => [value]),
    ...definitionsOf([item]),
  }))
  const record = fc.tuple(part, salt, fc.boolean()).map(([item, at, isPattern]) => ({
    schema: isPattern
      ? { type: 'object', patternProperties: { [anyText]: item.schema }, additionalProperties: false }
      : { type: 'object', additionalProperties: item.schema },
    right: [{}, { a: item.right[0], b: nth(item.right, 1) }],
    wrong: some([...item.wrong.map((value) => ({ a: item.right[0], b: value })), 'x', 1, null, []], at),
    ...definitionsOf([item]),
  }))
  const tuple = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.option(part), fc.nat(3), salt)
    .map(([elements, rest, minimum, at]) => {
      const required = Math.min(minimum, elements.length)
      const whole = (round: number): unknown[] => elements.map(({ right }) => nth(right, round))
      return {
        schema: {
          type: 'array',
          prefixItems: elements.map(({ schema }) => schema),
          items: rest ? rest.schema : false,
          minItems: required,
        },
        right: [
          whole(0),
          whole(1).slice(0, required),
          ...(rest ? [[...whole(2), ...rest.right.slice(0, 2)]] : []),
        ],
        wrong: some(
          [
            ...elements.flatMap(({ wrong }, index) => wrong.map((value) => whole(0).with(index, value))),
            ...(required > 0 ? [whole(0).slice(0, required - 1)] : []),
            ...(rest ? rest.wrong.map((value) => [...whole(0), value]) : [[...whole(0), 1]]),
            ...['x', null, {}],
          ],
          at,
        ),
        ...definitionsOf(rest ? [...elements, rest] : elements),
      }
    })
  const nullable = part.map((inner) => ({
    ...inner,
    schema: { anyOf: [inner.schema, { type: 'null' }] },
    right: [...inner.right, null],
    surplus: [],
  }))
  const either = fc.tuple(fc.array(part, { minLength: 2, maxLength: 3 }), salt).map(([parts, at]) => ({
    schema: { anyOf: parts.map(({ schema }) => schema) },
    right: some(
      parts.flatMap(({ right }) => right.slice(0, 2)),
      at,
    ),
    wrong: some(
      parts.flatMap(({ wrong }) => wrong),
      at,
    ),
    ...definitionsOf(parts),
  }))
  const tagged = fc
    .tuple(fc.array(fc.tuple(members, fc.boolean()), { minLength: 2, maxLength: 4 }), fc.boolean(), salt)
    .map(([branches, isOneOf, at]) => {
      const parts = branches.map(([list, isClosed], index) => {
        const tag = { name: 'tag', isOptional: false, part: tagOf(`t${index}`) }
        return objectOf([tag, ...list.filter((each) => each.name !== 'tag')], isClosed, at + index)
      })
      return {
        schema: { [isOneOf ? 'oneOf' : 'anyOf']: parts.map(({ schema }) => schema) },
        right: some(
          parts.flatMap(({ right }) => right),
          at,
        ),
        wrong: some(
          parts.flatMap(({ wrong }) => wrong),
          at,
        ),
        ...definitionsOf(parts),
      }
    })
  const both = fc.tuple(object, object, salt).map(([left, right, at]) => ({
    schema: { allOf: [open(left.schema), open(right.schema)] },
    right: left.right.map((value, index) => ({
      ...(nth(right.right, index) as object),
      ...(value as object),
    })),
    wrong: some(
      [...left.wrong.map((value) => ({ ...(right.right[0] as object), ...Object(value) })), 'x', 1],
      at,
    ),
    ...definitionsOf([left, right]),
  }))
  return {
    object,
    part: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 4, arbitrary: fc.constantFrom(...leaves) },
      { weight: 3, arbitrary: object },
      { weight: 2, arbitrary: list },
      { weight: 1, arbitrary: record },
      { weight: 1, arbitrary: tuple },
      { weight: 1, arbitrary: nullable },
      { weight: 2, arbitrary: either },
      { weight: 2, arbitrary: tagged },
      { weight: 1, arbitrary: both },
    ),
  }
}).part as Part

function tagOf(value: string): Judged {
  return { schema: { const: value }, right: [value], wrong: [`${value}x`, 1] }
}

function open(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema
  const { additionalProperties: _closed, ...rest } = schema
  return rest
}
