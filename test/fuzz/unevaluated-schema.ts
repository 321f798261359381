import fc from 'fast-check'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'

const name = fc.constantFrom('a', 'b', 'c')
const leaf = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'string', minLength: 2 },
)
const others = fc.constantFrom<Schema>(false, false, { type: 'string' }, true)

function byName(key: fc.Arbitrary<string>, mostKeys: number): fc.Arbitrary<Record<string, Schema>> {
  return fc.dictionary(key, leaf, { minKeys: 1, maxKeys: mostKeys, noNullPrototype: true })
}

const part: fc.Arbitrary<JsonSchema> = fc.letrec<{ part: JsonSchema }>((tie) => {
  const list = fc.array(tie('part'), { minLength: 1, maxLength: 2 })
  const keywords = fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ properties: byName(name, 2) }),
    fc.record({ unevaluatedProperties: others }),
    fc.record({ required: fc.uniqueArray(name, { maxLength: 2 }) }),
    fc.record({ additionalProperties: others }),
    fc.record({ patternProperties: byName(fc.constantFrom('^b', 'c$'), 1) }),
    fc.record({ $ref: fc.constantFrom('#/$defs/A', '#/$defs/B') }),
    fc.record({ allOf: list }),
    fc.record({ allOf: list }),
    fc.record({ anyOf: list }),
  )
  return {
    part: fc
      .array(keywords, { minLength: 1, maxLength: 3 })
      .map((some): JsonSchema => Object.assign({ type: 'object' }, ...some)),
  }
}).part

/** Objects whose parts say what nobody has looked at, at every level of `allOf`, `anyOf` and references. */
export const unevaluatedSchema: fc.Arbitrary<JsonSchema> = fc
  .tuple(part, part, part)
  .map(([root, A, B]) => ({ ...root, $defs: { A, B } }))
