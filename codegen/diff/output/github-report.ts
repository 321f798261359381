import { findingAnnotation } from '../../findings/finding-text.ts'
import { brief } from '../compare/brief.ts'
import { counts, type DiffReport } from '../diff.ts'

/** A comparison as annotations of GitHub Actions, at the lines of the definitions. */
export function githubReport({ sets, failOn, order, staleExceptions }: DiffReport): string {
  const changes = sets.flatMap(({ changes: found }) => found)
  const lines = changes.map((change) => {
    const isOpen = change.excused === undefined && counts(change, order)
    const severity =
      isOpen && failOn.includes(change.class)
        ? 'error'
        : change.class === 'wire' && isOpen
          ? 'warning'
          : 'note'
    const example = change.examples.map(({ value }) => ` Example: ${brief(value)}.`).join('')
    return findingAnnotation({
      rule: `contract-${change.class}`,
      severity,
      message: `${change.tool ?? 'All Tools'}: ${change.title} ${change.meaning}${example}`,
      fix: change.excused ?? `Deploy in an order that is safe, or write an exception for ${change.id}.`,
      ...(change.at && { at: change.at }),
    })
  })
  const stale = staleExceptions.map(({ change }) =>
    findingAnnotation({
      rule: 'stale-exception',
      severity: 'note',
      message: `The exception for ${change} excuses nothing any more.`,
      fix: 'Delete it from the configuration.',
    }),
  )
  return [...lines, ...stale].map((line) => `${line.trimEnd()}\n`).join('')
}
