import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { withDefinitions } from '../../../../codegen/emit/tool-schema.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'
import { define } from './define.ts'

const person = Type.Object({ name: Type.String(), tags: Type.Optional(Type.Array(Type.String())) })
const list = Type.Cyclic(
  { List: Type.Object({ v: Type.Number(), next: Type.Optional(Type.Ref('List')) }) },
  'List',
)

/** TypeBox kinds, each with JSON that comes close to it. */
const kinds: { kind: string; schema: object; near: fc.Arbitrary<unknown> }[] = [
  {
    kind: 'tuple',
    schema: Type.Tuple([Type.String(), Type.Number()]),
    near: fc.array(fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })), {
      maxLength: 3,
    }),
  },
  { kind: 'empty tuple', schema: Type.Tuple([]), near: fc.array(fc.integer(), { maxLength: 2 }) },
  {
    kind: 'nested tuple',
    schema: Type.Array(Type.Tuple([Type.Tuple([Type.Boolean()])])),
    near: fc.array(fc.array(fc.array(fc.boolean(), { maxLength: 2 }), { maxLength: 2 }), { maxLength: 3 }),
  },
  {
    kind: 'record',
    schema: Type.Record(Type.Integer(), Type.Number()),
    near: fc.dictionary(fc.oneof(fc.string(), fc.nat().map(String)), fc.oneof(fc.integer(), fc.string())),
  },
  {
    kind: 'union of literals',
    schema: Type.Union([Type.Literal('a'), Type.Literal(1), Type.Null()]),
    near: fc.constantFrom('a', 1, null, 'b', 2, false),
  },
  { kind: 'enum', schema: Type.Enum({ A: 'x', B: 1 }), near: fc.constantFrom('x', 1, 'A', 0) },
  {
    kind: 'template literal',
    schema: Type.TemplateLiteral([Type.Literal('id-'), Type.Number()]),
    near: fc.oneof(
      fc.integer().map((id) => `id-${id}`),
      fc.string(),
    ),
  },
  {
    kind: 'intersection',
    schema: Type.Intersect([person, Type.Object({ age: Type.Integer({ minimum: 0 }) })]),
    near: fc.record(
      { name: fc.oneof(fc.string(), fc.integer()), age: fc.integer() },
      { requiredKeys: ['name'] },
    ),
  },
  {
    kind: 'evaluated intersection',
    schema: Type.Evaluate(Type.Intersect([person, Type.Object({ age: Type.Integer() })])),
    near: fc.record({ name: fc.string(), age: fc.integer() }, { requiredKeys: [] }),
  },
  {
    kind: 'partial',
    schema: Type.Partial(person),
    near: fc.record({ name: fc.oneof(fc.string(), fc.constant(null)) }, { requiredKeys: [] }),
  },
  {
    kind: 'closed object',
    schema: Type.Object({ a: Type.String() }, { additionalProperties: false }),
    near: fc.record({ a: fc.string(), b: fc.string() }, { requiredKeys: ['a'] }),
  },
  {
    kind: 'recursion',
    schema: list,
    near: fc
      .letrec((tie) => ({
        list: fc.record({
          v: fc.oneof(fc.integer(), fc.string()),
          next: fc.option(tie('list'), { nil: undefined }),
        }),
      }))
      .list.map((value) => JSON.parse(JSON.stringify(value))),
  },
  {
    kind: 'script',
    schema: Type.Script('{ a: [string, 1 | 2] }'),
    near: fc.constantFrom({ a: ['x', 1] }, { a: ['x', 3] }, { a: ['x'] }),
  },
  { kind: 'nullable', schema: { type: 'string', nullable: true }, near: fc.constantFrom('x', null, 1) },
  {
    kind: 'draft-07 tuple with a rest',
    schema: { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'integer' } },
    near: fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  },
]

test.each(kinds)(
  'GEN-11 $kind: the normalised schema has the verdicts of the original',
  ({ schema, near }) => {
    const root = { type: 'object', properties: { value: schema }, required: ['value'] }
    const { model, findings } = buildModel([define('t', root)])
    expect(findings).toEqual([])
    const { _tool, ...properties } = model.tools[0]?.schema.properties ?? {}
    const normalised = { ...(model.tools[0]?.schema as ToolSchema), properties, required: ['value'] }
    const before = new Ajv({ strict: false, validateSchema: false }).compile(JSON.parse(JSON.stringify(root)))
    const after = new Ajv2020({ strict: false }).compile(withDefinitions(normalised, model.definitions))
    const verdicts = new Set<boolean>()
    fc.assert(
      fc.property(
        fc.oneof({ arbitrary: near, weight: 5 }, { arbitrary: fc.jsonValue(), weight: 1 }),
        (value) => {
          verdicts.add(before({ value }))
          expect(after({ value })).toBe(before({ value }))
        },
      ),
      // One of twenty values fits some kinds: in a hundred runs, none would now and then.
      { numRuns: 400 },
    )
    expect([...verdicts].sort()).toEqual([false, true])
  },
)
