import { nearest } from '../runtime/problems/nearest.ts'

/** The known name that somebody most likely meant; undefined when none is near. */
export function nearestName(got: string, known: readonly string[]): string | undefined {
  return nearest(got, known, 1)[0]
}

/** ` Did you mean "output"?`, or nothing when no name is near. */
export function didYouMean(got: string, known: readonly string[]): string {
  const name = nearestName(got, known)
  return name === undefined ? '' : ` Did you mean "${name}"?`
}
