import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { ajvCheck } from '../unit/codegen/validators/ajv.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { keywordCases } from './keyword-cases.ts'

describe('GEN-11 what each keyword takes and refuses', () => {
  test.each(keywordCases)('$name', ({ schema, valid, invalid }) => {
    const checks = { compiled: compiled(schema), interpreted: interpretCheck(schema), ajv: ajvCheck(schema) }
    for (const [by, check] of Object.entries(checks)) {
      const verdicts = (values: readonly unknown[]) => values.map((value) => [value, check(value) === true])
      expect({ by, verdicts: verdicts(valid) }).toEqual({ by, verdicts: valid.map((value) => [value, true]) })
      expect({ by, verdicts: verdicts(invalid) }).toEqual({
        by,
        verdicts: invalid.map((value) => [value, false]),
      })
    }
  })
})
