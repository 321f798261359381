import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../runtime/errors.ts'
import { compileWithAjv } from '../ajv.ts'
import { often } from '../runs.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'
import { plainJudge } from './plain-judge.ts'

const seen = { checked: 0, refused: 0, valid: 0, invalid: 0 }

/** Ajv calls `toString` of a value that it compares, also where that is a member of the value: docs/validation.md. */
function hasOwnToString(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, 'toString') || Object.values(value).some(hasOwnToString)
}

/** Undefined where Ajv itself throws, as for some `oneOf` beside `patternProperties`: docs/validation.md. */
function verdictOf(ajv: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return ajv(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return undefined
  }
}

fuzz(
  'GEN-11 every keyword beside every other: refused, or the verdict of the standard and of Ajv, compiled and interpreted alike',
  150,
  fc.tuple(everyKeywordSchema, fc.array(choices, { minLength: 6, maxLength: 6 })),
  ([schema, recipes]) => {
    const check = made(() => compiled(schema))
    const twin = made(() => interpretCheck(schema))
    expect(check === undefined).toBe(twin === undefined)
    if (!check || !twin) return void seen.refused++
    seen.checked++
    // `ownProperties`: without it, Ajv finds `toString` in every object.
    const ajv = compileWithAjv(schema, { ownProperties: true })
    // What Ajv makes of them: see overlapping.test.ts.
    const text = JSON.stringify(schema)
    // Beside `prefixItems` it takes an empty list for one that contains what is asked.
    const isAjvRight =
      !text.includes('"unevaluated') && !/"contains".*"prefixItems"|"prefixItems".*"contains"/.test(text)
    for (const recipe of recipes) {
      const value = nearValue(schema, recipe)
      const [reasons, twins]: [Problem[], Problem[]] = [[], []]
      const verdicts = [check(value), twin(value), check(value, '', reasons), twin(value, '', twins)]
      const want = plainJudge(schema, value)
      expect(new Set(verdicts), JSON.stringify({ schema, value })).toEqual(new Set([want]))
      expect(reasons).toEqual(twins)
      expect(reasons.length === 0).toBe(want)
      if (isAjvRight && !hasOwnToString(value))
        expect([want, undefined], JSON.stringify({ schema, value })).toContain(verdictOf(ajv, value))
      seen[want ? 'valid' : 'invalid']++
    }
  },
)

test('the schemas and values above are of both kinds', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(20))
})
