import { nearest } from '../../runtime/problems/nearest.ts'
import { suggest } from '../../runtime/problems/suggest.ts'

/** Returns the known name that was most likely meant; undefined if none is similar. */
export function nearestName(got: string, known: readonly string[]): string | undefined {
  return nearest(got, known, 1)[0]
}

/** Returns ` Did you mean "output"?`, or an empty string if no name is similar. */
export function didYouMean(got: string, known: readonly string[]): string {
  return suggest(nearest(got, known, 1))
}
