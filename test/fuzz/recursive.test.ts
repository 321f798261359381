import fc from 'fast-check'
import { expect } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../runtime/errors.ts'
import { compileWithAjv } from '../ajv.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { fuzz } from './campaign.ts'
import { recursiveCase } from './recursive-schema.ts'
import { counted, sizeOf } from './work.ts'

/** Reads for each part of a value. Exponential work passes any such number at a few levels. */
const most = { verdict: 40, reasons: 1200 }

for (const [kind, make] of Object.entries({ compiled, interpreted: interpretCheck })) {
  fuzz(
    `CALL-11a the work on recursive unions grows with the value and no faster: ${kind}`,
    100,
    fc.tuple(recursiveCase, fc.integer({ min: 1, max: 80 }), fc.boolean()),
    ([{ schema, value }, levels, isRight]) => {
      const check = make(schema)
      const given = value(levels, isRight)
      const verdict = { reads: 0 }
      const passes = check(counted(given, verdict))
      expect(verdict.reads).toBeLessThan(most.verdict * sizeOf(given))
      const reasons = { reads: 0 }
      const problems: Problem[] = []
      expect(check(counted(given, reasons), '', problems)).toBe(passes)
      expect(reasons.reads).toBeLessThan(most.reasons * sizeOf(given))
      expect(problems.length > 0).toBe(!passes)
      expect(JSON.stringify(problems).length).toBeLessThan(100_000)
    },
  )

  fuzz(
    `CALL-11a the verdict on recursive unions is Ajv's: ${kind}`,
    60,
    // Ajv tries every branch at every level, so that a few levels are all that it ends on.
    fc.tuple(recursiveCase, fc.integer({ min: 0, max: 5 }), fc.boolean()),
    ([{ schema, value }, levels, isRight]) => {
      const given = value(levels, isRight)
      expect(make(schema)(given)).toBe(compileWithAjv(schema)(given))
    },
  )
}
