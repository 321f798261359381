import fc from 'fast-check'
import { expect } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../runtime/errors.ts'
import { compileWithAjv } from '../ajv.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { fuzz } from './campaign.ts'
import { made } from './made.ts'
import { overlappingSchema, overlappingValue } from './overlapping-schema.ts'
import { plainJudge } from './plain-judge.ts'

fuzz(
  'GEN-11 alternatives that overlap get the verdict of the standard and of Ajv, and the same reasons compiled and interpreted',
  150,
  fc.tuple(overlappingSchema, fc.array(overlappingValue, { minLength: 8, maxLength: 16 })),
  ([schema, values]) => {
    const check = made(() => compiled(schema))
    const twin = made(() => interpretCheck(schema))
    expect(check === undefined).toBe(twin === undefined)
    if (!check || !twin) return
    const ajv = compileWithAjv(schema)
    // Ajv takes `{ a: [] }` for `anyOf: [{}, { allOf: [{ patternProperties: { a: {} } }, { type: 'string' }] }]` beside `unevaluatedProperties:
    // false`, although a branch that fails has looked at nothing. Within `oneOf` it takes an empty list for one that `contains` something.
    const isAjvRight = !/"unevaluatedProperties"|"contains"/.test(JSON.stringify(schema))
    for (const value of values) {
      const want = plainJudge({ allOf: [schema] }, value)
      const [reasons, twins]: [Problem[], Problem[]] = [[], []]
      const verdicts = [check(value), twin(value), check(value, '', reasons), twin(value, '', twins)]
      expect(new Set(verdicts), JSON.stringify({ schema, value })).toEqual(new Set([want]))
      expect(reasons).toEqual(twins)
      expect(reasons.length === 0).toBe(want)
      if (isAjvRight) expect(ajv(value), JSON.stringify({ schema, value })).toBe(want)
    }
  },
)
