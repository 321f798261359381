import { nearest } from '../../problems/nearest.ts'
import { briefly } from '../../problems/problem.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'

/** How many names the sentence lists. */
const mostNamed = 5

/**
 * Describes the registered Activities that no Tool uses: if a Tool lacks its Activity, one of them was probably meant
 * for it and misspelt.
 *
 * @param wanted The Activity that is missing.
 * @param options Options of the Call. A client of a server (`principal`) must not learn names, and gets none (SERVE-6).
 * @returns A sentence with a space before it, or `''` if every Activity belongs to a Tool.
 * @example ' The Activity "wetherCheck" belongs to no Tool: rename it to "weatherCheck" if it was meant.'
 */
export function describeIdleActivities(
  { tools, activities }: RegistryState,
  wanted: string,
  { principal }: Pick<RunOptions, 'principal'> = {},
): string {
  if (principal !== undefined) return ''
  const used = new Set<string>()
  for (const { facts } of tools.entries) used.add(facts.activity ?? facts.name)
  const idle = activities.names.filter((name) => !used.has(name))
  if (idle.length === 0) return ''
  const [near] = nearest(wanted, idle, 1)
  if (near !== undefined) {
    return ` The Activity ${briefly(near)} belongs to no Tool: rename it to ${briefly(wanted)} if it was meant.`
  }
  const more = idle.length > mostNamed ? ` and ${idle.length - mostNamed} more` : ''
  const verb = idle.length === 1 ? 'belongs' : 'belong'
  return ` Registered here, ${idle.slice(0, mostNamed).map(briefly).join(', ')}${more} ${verb} to no Tool.`
}
