import { isLinear } from '../patterns/is-linear.ts'
import { linearMatcher } from '../patterns/linear-matcher.ts'

/**
 * Tests a pattern as Ajv does, and never one that could hang (CALL-11a): a schema may come from anywhere. A pattern that
 * cannot be read or safely matched counts as matching, so that its rule is worked in and the lowered schema is stricter.
 */
export function matches(pattern: string, value: string): boolean {
  try {
    const expression = new RegExp(pattern, 'u')
    const matcher = isLinear(pattern) ? expression : linearMatcher(pattern)
    return matcher?.test(value) ?? true
  } catch {
    return true
  }
}
