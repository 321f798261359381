import { isLinear } from '../patterns/is-linear.ts'
import { linearMatcher } from '../patterns/linear-matcher.ts'
import { useMatcher } from './scalars.ts'

/** True for a pattern whose time on some text could grow faster than the text. */
export function needsGuard(source: string): boolean {
  return !isLinear(source)
}

/** True for a pattern that can be found in any text without a risk: by a regular expression, or by our own matcher. */
export function isSafe(source: string): boolean {
  return isLinear(source) || linearMatcher(source) !== undefined
}

/** Has a pattern found in time that grows with the text and no faster (CALL-11a). Checks that use it call this first. */
export function guardPattern(source: string): void {
  const matcher = isLinear(source) ? undefined : linearMatcher(source)
  if (matcher) useMatcher(source, matcher)
}
