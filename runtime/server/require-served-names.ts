import { CallsheetError } from '../errors.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import { suggest } from '../problems/suggest.ts'

/**
 * Refuses misspelt names of Tools in an option of a server. A name that is not similar to any may belong to a Tool that was removed, or
 * is still to come.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requireServedNames(
  option: string,
  named: readonly string[],
  served: readonly string[] = [],
): void {
  for (const name of named) {
    const near = served.includes(name) ? [] : nearest(name, served)
    if (near.length === 0) continue
    throw new CallsheetError(
      'invalid_options',
      `\`${option}\` has a Tool ${briefly(name)}, which is not served.${suggest(near)}`,
    )
  }
}
