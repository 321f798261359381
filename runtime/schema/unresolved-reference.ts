import { nearest } from '../problems/nearest.ts'
import { listSome, saidProblems } from '../problems/problem.ts'
import { shorten } from '../problems/shorten.ts'
import { suggest } from '../problems/suggest.ts'
import type { Unresolved } from './resolve-reference.ts'
import { type Place, pointerTo } from './schema-document.ts'
import type { SchemaProblem } from './schema-problem.ts'

/**
 * Builds the problem of a reference that cannot be followed.
 *
 * @param known Returns the names that a reference could have said.
 */
export function unresolvedReference(
  why: Unresolved,
  reference: string,
  place: Place,
  known: () => readonly string[],
): SchemaProblem {
  const pointer = pointerTo(place)
  const ref = `"$ref": "${shorten(reference, 200)}"`
  if (why === 'external') {
    return {
      rule: 'external-reference',
      pointer,
      message: `${ref} leads out of the definitions, and nothing is ever fetched.`,
      fix: 'Copy that schema into the definitions and give it this $id.',
    }
  }
  if (why === 'ambiguous') {
    return {
      rule: 'ambiguous-reference',
      pointer,
      message: `${ref} names several different schemas of this definition.`,
      fix: 'Give them different names.',
    }
  }
  const names = known()
  const list =
    names.length > 0
      ? `Known are: ${listSome(names, saidProblems, ', ')}.`
      : 'The definitions have no named schema.'
  return {
    rule: 'missing-reference',
    pointer,
    message: `${ref} names no schema.${suggest(nearest(reference, names, 1))} ${list}`,
    fix: 'Correct the name (in Type.Script a misspelt type becomes such a reference), or declare a schema with that $id.',
  }
}
