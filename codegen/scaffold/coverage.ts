import type { Registration } from '../registrations/find-registrations.ts'
import type { ActivityFile } from './activity-files.ts'

/** Comparison of the registered Activities with those that the Tools need. */
export interface Coverage {
  /** Needed and registered Activities. */
  readonly registered: readonly string[]
  /** Needed Activities that the project registers nowhere. */
  readonly gaps: readonly string[]
  /** Registrations that no Tool uses any more. */
  readonly orphans: readonly Registration[]
}

/**
 * Compares the registered Activities with the needed ones.
 *
 * @param known Names that are not orphans although they need not be registered here.
 * @param elsewhere Names that the project registers outside of the folder, which are therefore no gaps.
 */
export function coverageOf(
  files: readonly ActivityFile[],
  expected: readonly string[],
  known: readonly string[],
  elsewhere: readonly string[],
): Coverage {
  const registrations = files.flatMap((file) => file.registrations)
  const found = new Set([...registrations.map(({ name }) => name), ...elsewhere])
  const legal = new Set([...expected, ...known])
  return {
    registered: expected.filter((name) => found.has(name)),
    gaps: expected.filter((name) => !found.has(name)),
    orphans: registrations.filter(({ name }) => !legal.has(name)),
  }
}

/** The most gaps that are named: with a thousand imported Tools the line would fill screens. */
const mostNamed = 12

/**
 * Prints the coverage in a few lines.
 *
 * @param output The set's output folder, if there are several sets.
 */
export function coverageLines(
  { registered, gaps, orphans }: Coverage,
  folder: string,
  output?: string,
): string[] {
  const set = output === undefined ? '' : ` (for ${output})`
  const total = registered.length + gaps.length
  const more = gaps.length - mostNamed
  const named = gaps.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const missing = gaps.length === 0 ? '' : `; missing: ${named}. Run \`callsheet scaffold\``
  const state =
    total === 0
      ? 'no Tool needs an Activity here. Those that `activities` of the configuration names are implemented elsewhere'
      : `${registered.length} of ${total} ${total === 1 ? 'Activity' : 'Activities'} registered${missing}`
  return [
    `${folder}/${set}: ${state}.`,
    ...orphans.map(
      ({ name, at }) =>
        `${at.file}:${at.line}:${at.column} orphan: Activity "${name}" is registered, and no Tool${output === undefined ? '' : ` of ${output}`} needs it. Rename or remove it.`,
    ),
  ]
}
