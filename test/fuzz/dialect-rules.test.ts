import {
  compose,
  type DialectName,
  isCallsheetError,
  type JsonSchema,
  type LoweredSchema,
  lower,
} from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Random, randomSchema } from '../unit/runtime/lower/random-schema.ts'
import { fuzz } from './campaign.ts'
import { judgedDialects, refusedBy } from './dialect-judge.ts'
import { everyKeywordSchema } from './every-keyword-schema.ts'
import { overlappingSchema } from './overlapping-schema.ts'
import { recursiveCase } from './recursive-schema.ts'

const seen = { judged: 0, refused: 0 }

function lowered(make: () => LoweredSchema): LoweredSchema | undefined {
  try {
    return make()
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    seen.refused++
    return undefined
  }
}

/** A Tool whose one parameter has a schema of any kind. */
const tool = fc
  .oneof(
    everyKeywordSchema,
    recursiveCase.map(({ schema }) => schema),
    overlappingSchema.map((schema) => (typeof schema === 'boolean' ? {} : schema)),
    fc.nat().map((seed) => randomSchema(new Random(seed))),
  )
  .map(
    ({ $defs, ...it }): JsonSchema => ({
      type: 'object',
      properties: { _tool: { const: 'any' }, it },
      required: ['_tool'],
      ...($defs && { $defs }),
    }),
  )

fuzz(
  'REQ-5 any schema in any dialect, alone and composed: nothing is sent that the dialect refuses',
  300,
  fc.record({
    schema: tool,
    dialect: fc.constantFrom<DialectName>(...judgedDialects),
    references: fc.constantFrom('auto', 'deep', 'none'),
  }),
  ({ schema, dialect, references }) => {
    for (const make of [
      () => lower(schema, dialect),
      () => lower(schema, dialect, { use: 'native' }),
      () => lower(compose([schema], { references }), dialect),
    ]) {
      const form = lowered(make)
      if (!form) continue
      seen.judged++
      expect(refusedBy(dialect, form.schema), JSON.stringify({ dialect, schema, sent: form.schema })).toEqual(
        [],
      )
    }
  },
)

test('the schemas above are of both kinds', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})
