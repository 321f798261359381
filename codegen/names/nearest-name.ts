import { nearest } from '../../runtime/problems/nearest.ts'
import { suggest } from '../../runtime/problems/suggest.ts'

/** The known name that somebody most likely meant; undefined when none is near. */
export function nearestName(got: string, known: readonly string[]): string | undefined {
  return nearest(got, known, 1)[0]
}

/** ` Did you mean "output"?`, or nothing when no name is near. */
export function didYouMean(got: string, known: readonly string[]): string {
  return suggest(nearest(got, known, 1))
}
