import { nearest } from '../../problems/nearest.ts'
import { briefly } from '../../problems/problem.ts'
import type { RegistryState } from '../registry-state.ts'
import type { RunOptions } from '../run-options.ts'

/** How many names a message lists. */
const mostNamed = 5

/**
 * Names the Activities that are registered and that no Tool runs: where a Tool lacks its Activity, one of them was most
 * likely meant, and misspelt.
 *
 * @param wanted The Activity that is missing.
 * @param options Those of the Call: whoever asks from elsewhere is told no names (SERVE-6).
 * @returns A sentence with a space before it, or nothing where every Activity has its Tool.
 * @example ' The Activity "wetherCheck" belongs to no Tool: rename it to "weatherCheck" if it was meant.'
 */
export function tellIdleActivities(
  { tools, activities }: RegistryState,
  wanted: string,
  { principal }: Pick<RunOptions, 'principal'> = {},
): string {
  if (principal !== undefined) return ''
  const needed = new Set<string>()
  for (const { facts } of tools.entries) needed.add(facts.activity ?? facts.name)
  const idle = activities.names.filter((name) => !needed.has(name))
  if (idle.length === 0) return ''
  const [near] = nearest(wanted, idle, 1)
  if (near !== undefined) {
    return ` The Activity ${briefly(near)} belongs to no Tool: rename it to ${briefly(wanted)} if it was meant.`
  }
  const more = idle.length > mostNamed ? ` and ${idle.length - mostNamed} more` : ''
  const verb = idle.length === 1 ? 'belongs' : 'belong'
  return ` Registered here, ${idle.slice(0, mostNamed).map(briefly).join(', ')}${more} ${verb} to no Tool.`
}
