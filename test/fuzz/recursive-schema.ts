import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

/** A shape of a union: what tells it from the others, and what it has of the definitions. */
interface Shape {
  readonly tag: 'first' | 'last' | 'none'
  /** What the tag is; several shapes may share one. */
  readonly kinds: readonly string[]
  readonly members: readonly Member[]
  readonly isClosed: boolean
}

interface Member {
  readonly name: string
  /** The number of the definition, taken modulo how many there are. */
  readonly definition: number
  readonly isList: boolean
  readonly isOptional: boolean
}

interface Definition {
  readonly union: 'anyOf' | 'oneOf'
  readonly shapes: readonly Shape[]
  readonly leaf: 'number' | 'string'
}

/** A schema of definitions that refer to each other, and a recipe for a value of it. */
export interface RecursiveCase {
  readonly schema: JsonSchema
  /** Makes a value of so many levels, of which the innermost is wrong or right. */
  value(levels: number, isRight: boolean): unknown
}

const names = ['a', 'b', 'left', 'right']
const kinds = ['add', 'sub', 'mul', 'div']

const shape: fc.Arbitrary<Shape> = fc.record({
  tag: fc.constantFrom<Shape['tag']>('first', 'last', 'none'),
  kinds: fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1, maxLength: 2 }),
  members: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...names),
      definition: fc.nat(2),
      isList: fc.boolean(),
      isOptional: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3, selector: ({ name }) => name },
  ),
  isClosed: fc.boolean(),
})

const definition: fc.Arbitrary<Definition> = fc.record({
  union: fc.constantFrom<Definition['union']>('anyOf', 'oneOf'),
  shapes: fc.array(shape, { minLength: 1, maxLength: 4 }),
  leaf: fc.constantFrom<Definition['leaf']>('number', 'string'),
})

/**
 * Unions that contain themselves: tagged first, tagged last or not at all, with tags that several shapes share, closed and
 * open, through lists and through each other. Checks that try every branch at every level take exponential time on them.
 */
export const recursiveCase: fc.Arbitrary<RecursiveCase> = fc
  .tuple(
    fc.array(definition, { minLength: 1, maxLength: 3 }),
    // Which shape each level has, which member goes on, and what the innermost value is when it is wrong.
    fc.array(fc.nat(11), { minLength: 1, maxLength: 6 }),
    fc.constantFrom<unknown>(true, null, [], {}, { op: 'dvi' }, { op: 'add', a: true }),
  )
  .map(([definitions, choices, wrong]) => ({
    schema: schemaOf(definitions),
    value: (levels, isRight) => makeValue(definitions, choices, levels, isRight ? undefined : { wrong }),
  }))

function schemaOf(definitions: readonly Definition[]): JsonSchema {
  const $defs: Record<string, Schema> = {}
  definitions.forEach(({ union, shapes, leaf }, index) => {
    const branches = [...shapes.map((each) => shapeSchema(each, definitions.length)), { type: leaf }]
    $defs[`D${index}`] = union === 'anyOf' ? { anyOf: branches } : { oneOf: branches }
  })
  return { $ref: '#/$defs/D0', $defs }
}

function shapeSchema({ tag, kinds: own, members, isClosed }: Shape, count: number): JsonSchema {
  const op: [string, Schema] = ['op', own.length === 1 ? { const: own[0] } : { enum: [...own] }]
  const rest = members.map(({ name, definition, isList }): [string, Schema] => {
    const inner: Schema = { $ref: `#/$defs/D${definition % count}` }
    return [name, isList ? { type: 'array', items: inner } : inner]
  })
  const properties = tag === 'first' ? [op, ...rest] : tag === 'last' ? [...rest, op] : rest
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [
      ...(tag === 'none' ? [] : ['op']),
      ...members.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    ],
    ...(isClosed && { additionalProperties: false }),
  }
}

/** One member of each level goes on, so that a value of many levels stays small; the others are leaves. */
function makeValue(
  definitions: readonly Definition[],
  choices: readonly number[],
  levels: number,
  end: { readonly wrong: unknown } | undefined,
  index = 0,
): unknown {
  const { shapes, leaf } = definitions[index % definitions.length] as Definition
  if (levels === 0) return end ? end.wrong : leafOf(leaf)
  const choice = choices[levels % choices.length] as number
  const { tag, kinds: own, members } = shapes[choice % shapes.length] as Shape
  const value: Record<string, unknown> = tag === 'none' ? {} : { op: own[choice % own.length] }
  members.forEach(({ name, definition, isList }, number) => {
    const goesOn = number === choice % members.length
    const inner = goesOn
      ? makeValue(definitions, choices, levels - 1, end, definition)
      : leafOf((definitions[definition % definitions.length] as Definition).leaf)
    value[name] = isList ? [inner] : inner
  })
  return value
}

function leafOf(leaf: Definition['leaf']): unknown {
  return leaf === 'number' ? 1 : 'x'
}
