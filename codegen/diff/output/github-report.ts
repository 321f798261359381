import type { Finding } from '../../model.ts'
import { brief } from '../compare/brief.ts'
import { counts, type DiffReport } from '../diff.ts'

/** A comparison as findings, for annotations of GitHub Actions, at the lines of the definitions. */
export function githubReport({ sets, failOn, order, staleExceptions }: DiffReport): Finding[] {
  const changes = sets.flatMap(({ changes: found }) => found)
  const lines = changes.map((change): Finding => {
    const isOpen = change.excused === undefined && counts(change, order)
    const severity =
      isOpen && failOn.includes(change.class)
        ? 'error'
        : change.class === 'wire' && isOpen
          ? 'warning'
          : 'note'
    const example = change.examples.map(({ value }) => ` Example: ${brief(value)}.`).join('')
    return {
      rule: `contract-${change.class}`,
      severity,
      message: `${change.tool ?? 'All Tools'}: ${change.title} ${change.meaning}${example}`,
      fix: change.excused ?? `Deploy in an order that is safe, or write an exception for ${change.id}.`,
      ...(change.at && { at: change.at }),
    }
  })
  const stale = staleExceptions.map(
    ({ change }): Finding => ({
      rule: 'stale-exception',
      severity: 'note',
      message: `The exception for ${change} matches no change any more.`,
      fix: 'Delete it from the configuration.',
    }),
  )
  return [...lines, ...stale]
}
