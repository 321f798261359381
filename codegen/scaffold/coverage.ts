import type { Registration } from '../registrations/registrations-in.ts'
import type { ActivityFile } from './activity-files.ts'

/** What an activities folder implements, against what the Tools need. */
export interface Coverage {
  /** Activities that are needed and registered. */
  readonly registered: readonly string[]
  /** Needed, and registered nowhere in the project. */
  readonly gaps: readonly string[]
  /** Registered for a Tool that is gone. */
  readonly orphans: readonly Registration[]
}

/**
 * Compares what is registered with what is needed.
 *
 * @param known Names that are no orphans although nobody has to register them here.
 * @param elsewhere Names that the project registers outside of the folder: they are no gaps.
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

/** So many gaps are named: of a thousand imported Tools the line would fill screens, at each run. */
const mostNamed = 12

/** What coverage comes to, in one or a few lines for people. */
export function coverageLines({ registered, gaps, orphans }: Coverage, folder: string): string[] {
  const total = registered.length + gaps.length
  const more = gaps.length - mostNamed
  const named = gaps.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const state = gaps.length === 0 ? '' : `; missing: ${named}. Run \`callsheet scaffold\``
  return [
    `${folder}/: ${registered.length} of ${total} ${total === 1 ? 'Activity' : 'Activities'} registered${state}.`,
    ...orphans.map(
      ({ name, at }) =>
        `${at.file}:${at.line}:${at.column} orphan: Activity "${name}" is registered, and no Tool needs it. Rename or remove it.`,
    ),
  ]
}
