import { isLinear } from '../patterns/is-linear.ts'
import { linearMatcher } from '../patterns/linear-matcher.ts'

/**
 * Tests a pattern as Ajv does, but never one that could hang (CALL-11a): the schema may come from an untrusted source. A pattern
 * that is malformed or cannot be matched safely counts as matching, so that its schema is merged and the result is stricter.
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
