import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../runtime/errors.ts'
import { often } from '../runs.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { appliedSchema, nestedValue } from './applied-schema.ts'
import { fuzz } from './campaign.ts'
import { made } from './made.ts'
import { plainJudge } from './plain-judge.ts'
import { counted, sizeOf } from './work.ts'

const seen = { checked: 0, valid: 0, invalid: 0 }

for (const [kind, make] of Object.entries({ compiled, interpreted: interpretCheck })) {
  fuzz(
    `CALL-11a the work on a deep value grows with it and no faster, whatever keywords apply to its parts: ${kind}`,
    40,
    fc.tuple(appliedSchema, nestedValue),
    ([schema, nested]) => {
      const check = made(() => make(schema))
      if (!check) return
      seen.checked++
      const works = [20, 80].map((levels) => {
        const value = nested(levels)
        const [verdict, reasons] = [{ reads: 0 }, { reads: 0 }]
        const passes = check(counted(value, verdict))
        const problems: Problem[] = []
        expect(check(counted(value, reasons), '', problems)).toBe(passes)
        expect(problems.length > 0).toBe(!passes)
        // A hundred problems, each with a path of eighty names.
        expect(JSON.stringify(problems).length).toBeLessThan(400_000)
        seen[passes ? 'valid' : 'invalid']++
        return { verdict: verdict.reads / sizeOf(value), reasons: reasons.reads / sizeOf(value) }
      })
      const shown = JSON.stringify({ works, schema, value: nested(4) })
      for (const { verdict, reasons } of works) {
        expect(verdict, shown).toBeLessThan(1000)
        expect(reasons, shown).toBeLessThan(10_000)
      }
    },
  )
}

fuzz(
  'GEN-11 whatever keywords apply to the parts of a value: the verdict of the standard, compiled and interpreted alike',
  40,
  fc.tuple(appliedSchema, fc.array(fc.tuple(nestedValue, fc.nat(3)), { minLength: 6, maxLength: 6 })),
  ([schema, values]) => {
    const check = made(() => compiled(schema))
    const twin = made(() => interpretCheck(schema))
    expect(check === undefined).toBe(twin === undefined)
    if (!check || !twin) return
    for (const [nested, levels] of values) {
      const value = nested(levels)
      const [reasons, twins]: [Problem[], Problem[]] = [[], []]
      const verdicts = [check(value), twin(value), check(value, '', reasons), twin(value, '', twins)]
      // The judge remembers nothing, so that large schemas take it minutes.
      const want = JSON.stringify(schema).length < 2000 ? plainJudge(schema, value) : verdicts[0]
      expect(new Set(verdicts), JSON.stringify({ schema, value })).toEqual(new Set([want]))
      expect(reasons).toEqual(twins)
    }
  },
)

test('the schemas and values above are of both kinds', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(often(10))
})
