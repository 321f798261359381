import { lowerTools, tool } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { JsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { fuzz } from './campaign.ts'

/** A schema with one of its values, as it is and as a server may have quoted it. */
interface Part {
  readonly schema: JsonSchema
  readonly value: unknown
  readonly quoted: unknown
}

const scalar: fc.Arbitrary<Part> = fc
  .oneof(
    fc.record({ type: fc.constant('integer'), value: fc.integer() }),
    fc.record({ type: fc.constant('number'), value: fc.integer().map((n) => n / 8) }),
    fc.record({ type: fc.constant('boolean'), value: fc.boolean() }),
    fc.record({ type: fc.constant('null'), value: fc.constant(null) }),
  )
  .chain(({ type, value }) => quotedOr({ schema: { type }, value, quoted: value }))

/** Texts that look like other values: each stays a text. */
const text: fc.Arbitrary<Part> = fc
  .oneof(fc.string(), fc.json(), fc.constantFrom('5', 'true', 'null', '[]', '"x"', '†state.a'))
  .map((value) => ({ schema: { type: 'string' }, value, quoted: value }))

/** The part, or the part within quotes. */
function quotedOr(part: Part): fc.Arbitrary<Part> {
  return fc.boolean().map((is) => (is ? { ...part, quoted: JSON.stringify(part.quoted) } : part))
}

const { part } = fc.letrec<{ part: Part; list: Part; record: Part; object: Part }>((tie) => ({
  part: fc.oneof({ maxDepth: 4 }, scalar, text, tie('list'), tie('record'), tie('object')).chain(inUnion),
  list: tie('part')
    .chain((item) => fc.nat(3).map((length) => listOf(item, length)))
    .chain(quotedOr),
  // Some dialects send it as a list of entries, others as it is.
  record: tie('part').map(recordOf).chain(quotedOr),
  object: fc
    .dictionary(fc.constantFrom('a', 'b', 'c', '~/', '0'), tie('part'), { maxKeys: 4 })
    .map(objectOf)
    .chain(quotedOr),
}))

function listOf({ schema, value, quoted }: Part, length: number): Part {
  const items = (each: unknown): unknown[] => Array.from({ length }, () => each)
  return { schema: { type: 'array', items: schema }, value: items(value), quoted: items(quoted) }
}

function recordOf({ schema, value, quoted }: Part): Part {
  return {
    schema: { type: 'object', additionalProperties: schema },
    value: { any: value },
    quoted: { any: quoted },
  }
}

function objectOf(parts: Readonly<Record<string, Part>>): Part {
  const each = <Kind extends keyof Part>(kind: Kind): Record<string, Part[Kind]> =>
    Object.fromEntries(Object.entries(parts).map(([name, entry]) => [name, entry[kind]]))
  // Null stands for each optional property in place of nothing.
  const least = { anyOf: [{ type: 'integer' }, { type: 'array' }] }
  const optional = { none: { type: 'string' }, least, text: least }
  const properties = { ...each('schema'), ...optional }
  return {
    schema: { type: 'object', properties, required: Object.keys(parts), additionalProperties: false },
    value: each('value'),
    quoted: { ...each('quoted'), none: null, least: null, text: 'null' },
  }
}

/** Beside what hides its type from a server that looks for one: null, or a text that is none of other values. */
function inUnion(each: Part): fc.Arbitrary<Part> {
  const others: JsonSchema[] = [{ type: 'null' }, { type: 'string', enum: ['none', 'all'] }]
  return fc.subarray(others).map((also) => {
    const isNull = each.schema.type === 'null' || each.schema.type === 'string'
    return also.length === 0 || isNull ? each : { ...each, schema: { anyOf: [each.schema, ...also] } }
  })
}

/** Offers a result to refer to, beside which every parameter takes a text. */
const find = tool('find', { _outputPath: { type: 'string' }, _output: {} })

const api = fc.constantFrom('openai-chat' as const, 'anthropic' as const, 'gemini' as const)

fuzz(
  'REQ-5b quoted arguments are read as what they mean, texts as texts, and null as nothing where it stands for that',
  300,
  fc.record({
    parts: fc.dictionary(fc.constantFrom('p', 'q', 'r'), part, { maxKeys: 3 }),
    api,
    strict: fc.constantFrom('none' as const, 'auto' as const),
    references: fc.constantFrom('none' as const, 'auto' as const, 'deep' as const),
  }),
  ({ parts, api, strict, references }) => {
    const { schema, value, quoted } = objectOf(parts)
    const made = {
      ...tool('t', schema.properties as Record<string, JsonSchema>),
      required: ['_tool', ...(schema.required ?? [])],
    }
    const native = lowerTools([made, find], api, { strict, references })
    const read = (given: unknown): JsonObject | undefined =>
      native.callsFromAnswer({ name: 't', arguments: given })[0]?.call as JsonObject | undefined
    expect(read(quoted)).toEqual(read(value))
    // A Call that is right is left alone, whatever its texts look like.
    expect(read(value)).toEqual({ _tool: 't', ...(value as object) })
  },
)
