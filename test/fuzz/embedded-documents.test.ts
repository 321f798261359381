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
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'
import { recursiveCase } from './recursive-schema.ts'

const $schema = 'https://json-schema.org/draft/2020-12/schema'
const seen = { registered: 0, built: 0, valid: 0, invalid: 0 }

/** A schema, and values that it takes or not. */
const document: fc.Arbitrary<{ schema: JsonSchema; values: unknown[] }> = fc.oneof(
  fc
    .tuple(everyKeywordSchema, fc.array(choices, { minLength: 4, maxLength: 4 }))
    .map(([schema, recipes]) => ({ schema, values: recipes.map((recipe) => nearValue(schema, recipe)) })),
  fc.tuple(recursiveCase, fc.nat(3)).map(([{ schema, value }, levels]) => ({
    schema,
    values: [value(levels, true), value(levels, false), value(levels + 1, true), value(levels + 1, false)],
  })),
)

/** The same documents twice in a Tool, whose own definitions have their names and mean something else. */
function toolAround(first: JsonSchema, second: JsonSchema): JsonSchema {
  const names = [...Object.keys(first.$defs ?? {}), ...Object.keys(second.$defs ?? {})]
  return {
    type: 'object',
    properties: {
      _tool: { const: 't' },
      it: { $schema, ...first },
      list: { type: 'array', items: { $schema, ...second } },
      own: { $ref: `#/$defs/${names[0] ?? 'Own'}` },
    },
    additionalProperties: false,
    $defs: Object.fromEntries(
      [...names, 'Own'].map((name): [string, Schema] => [name, { const: 'of the Tool' }]),
    ),
  }
}

fuzz(
  'TOOL-7 a schema of another library judges in a Tool as it does alone, registered and generated',
  150,
  fc.tuple(document, document),
  ([first, second]) => {
    const alone = [first, second].map(({ schema }) => made(() => interpretCheck(schema)))
    const [one, other] = alone
    if (!one || !other) return
    const schema = toolAround(first.schema, second.schema)
    const checks = [
      made(() => interpretCheck(plainToolSchema('t', structuredClone(schema)))),
      checkOfModel(schema),
    ]
    if (checks[0]) seen.registered++
    if (checks[1]) seen.built++
    for (const check of checks) {
      if (!check) continue
      const judge = (call: object): boolean => check({ _tool: 't', ...call })
      expect(judge({ own: 'of the Tool' })).toBe(true)
      for (const it of first.values) {
        const want = one(it)
        expect(judge({ it }), JSON.stringify({ schema, it })).toBe(want)
        if (want) seen.valid++
        else seen.invalid++
      }
      for (const it of second.values)
        expect(judge({ list: [it] }), JSON.stringify({ schema, list: [it] })).toBe(other(it))
    }
  },
)

/** What generation makes of the Tool; undefined where it refuses it. */
function checkOfModel(schema: JsonSchema) {
  const { model, findings } = buildModel([define('t', structuredClone(schema))])
  const [tool] = model.tools
  if (hasError(findings) || !tool) return undefined
  return made(() => interpretCheck({ ...tool.schema, $defs: model.definitions }))
}

test('the documents above are judged both ways', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(30))
})
