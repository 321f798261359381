import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLinear } from '../../runtime/patterns/is-linear.ts'
import { linearMatcher } from '../../runtime/patterns/linear-matcher.ts'
import { fuzz } from './campaign.ts'
import { patternSource, patternText } from './pattern-source.ts'

const seen = { matched: 0, refused: 0, linear: 0, found: 0 }

fuzz(
  'CALL-11a any pattern: our matcher finds what a regular expression finds, and what is called fast ends soon',
  1500,
  fc.tuple(patternSource, fc.array(patternText, { minLength: 8, maxLength: 8 })),
  ([source, texts]) => {
    let expression: RegExp
    try {
      expression = new RegExp(source, 'u')
    } catch {
      return
    }
    const matcher = linearMatcher(source)
    if (matcher) seen.matched++
    else seen.refused++
    for (const text of matcher ? texts : []) {
      const want = expression.test(text)
      expect(matcher?.test(text), JSON.stringify({ source, text })).toBe(want)
      if (want) seen.found++
    }
    if (!isLinear(source)) return
    seen.linear++
    for (const text of texts) {
      const long = `${text.repeat(Math.ceil(20_000 / (text.length + 1)))}\u0002`
      const before = process.cpuUsage()
      expression.test(long)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1000, JSON.stringify({ source, text })).toBeLessThan(250)
    }
  },
)

test('the patterns above are of every kind', () => {
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20)
})
