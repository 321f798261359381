import { dialectNames, isCallsheetError, type JsonSchema, type LoweredSchema, lower } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import type { Schema } from '../../runtime/schema/schema.ts'
import { often } from '../runs.ts'
import { Random } from '../unit/runtime/lower/random-schema.ts'
import { relaxUnions } from '../unit/runtime/lower/relax.ts'
import { Impossible, sample } from '../unit/runtime/lower/sample.ts'
import { fuzz } from './campaign.ts'
import { judgedSchema } from './judged-schema.ts'
import { made } from './made.ts'

const seen = { values: 0, exact: 0, answers: 0 }

function lowered(schema: JsonSchema, dialect: (typeof dialectNames)[number]): LoweredSchema | undefined {
  try {
    return lower(schema, dialect)
  } catch (error) {
    if (isCallsheetError(error) && error.code === 'unsupported_schema') return undefined
    throw error
  }
}

function sampled(schema: JsonSchema, random: Random): unknown {
  try {
    return sample(schema, schema, random)
  } catch (error) {
    if (error instanceof Impossible || error instanceof RangeError) return undefined
    throw error
  }
}

const withDefault = (schema: Schema, value: unknown): Schema =>
  typeof schema === 'boolean' || value === undefined ? schema : { ...schema, default: value }

fuzz(
  'REQ-5, REQ-5a schemas as people write them, with defaults, and unions of them: nothing changes on the way there and back that no loss lists',
  100,
  fc.record({
    first: judgedSchema,
    second: judgedSchema,
    dialect: fc.constantFrom(...dialectNames),
    isRequired: fc.boolean(),
    fallback: fc.constantFrom<unknown>(undefined, null, 0, 'x', {}, []),
    seed: fc.nat(),
  }),
  ({ first, second, dialect, isRequired, fallback, seed }) => {
    const it = withDefault(first.schema, fallback)
    const schema: JsonSchema = {
      type: 'object',
      properties: { it, either: { anyOf: [second.schema, it] } },
      required: isRequired ? ['it'] : [],
      additionalProperties: false,
      $defs: { ...first.definitions, ...second.definitions },
    }
    const form = lowered(schema, dialect)
    if (!form) return
    const check = interpretCheck(schema)
    const sent = made(() => interpretCheck(form.schema))
    const values = first.right.flatMap((value, index) => [
      { it: value },
      ...[...second.right, ...first.right].slice(index, index + 4).map((either) => ({ it: value, either })),
    ])
    for (const value of [...values, {}].filter((each) => check(each))) {
      seen.values++
      if (form.losses.length > 0) continue
      seen.exact++
      const told = form.toLowered(value)
      const back = form.lift(told)
      const shown = JSON.stringify({ dialect, schema, value, told, back })
      expect(canonicalJson(back), shown).toBe(canonicalJson(value))
      if (sent) expect(sent(told), shown).toBe(true)
    }
    const relaxed = made(() => interpretCheck(relaxUnions(schema, form.losses, form.standIns)))
    if (!relaxed || !sent) return
    const random = new Random(seed)
    for (const answer of Array.from({ length: 8 }, () => sampled(form.schema, random))) {
      if (answer === undefined || !sent(answer)) continue
      seen.answers++
      const lifted = form.lift(answer)
      const shown = JSON.stringify({ dialect, schema, losses: form.losses, answer, lifted })
      expect(relaxed(lifted), shown).toBe(true)
      if (form.losses.length === 0)
        expect(canonicalJson(form.lift(form.toLowered(lifted))), shown).toBe(canonicalJson(lifted))
    }
  },
)

test('the values and answers above are many', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(100))
})
