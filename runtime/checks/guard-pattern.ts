import { isLinear } from '../patterns/is-linear.ts'
import { linearMatcher } from '../patterns/linear-matcher.ts'
import { useMatcher } from './scalars.ts'

/** True for a pattern whose matching time may be worse than linear for some text. */
export function needsGuard(source: string): boolean {
  return !isLinear(source)
}

/** True for a pattern that can safely be matched against any text: by a regular expression, or by our own matcher. */
export function isSafe(source: string): boolean {
  return isLinear(source) || linearMatcher(source) !== undefined
}

/** Makes a pattern match in linear time (CALL-11a). Checks call it before they use the pattern. */
export function guardPattern(source: string): void {
  const matcher = isLinear(source) ? undefined : linearMatcher(source)
  if (matcher) useMatcher(source, matcher)
}
