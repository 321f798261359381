import { isReformatted } from '../report/is-reformatted.ts'
import type { FileChange, Report } from '../report/report.ts'
import type { Style } from './style.ts'

/** The kind of run that is summarised. */
export interface SummaryView {
  readonly checking: boolean
  readonly milliseconds: number
}

/** Prints the last line of a run: the result in numbers, and the next step if there is one. */
export function summary(report: Report, view: SummaryView, style: Style): string {
  const errors = report.findings.filter((finding) => finding.severity === 'error').length
  const time = style.dim(`(${view.milliseconds} ms)`)
  if (errors > 0) {
    const outcome = view.checking ? compared(report) : 'Nothing was written.'
    return `${style.red(`${count(errors, 'error')}.`)} ${outcome} ${time}`
  }
  const tools = count(report.tools, 'tool')
  if (view.checking) {
    if (report.ok) return `${style.green('Fresh:')} ${tools}, ${count(report.unchanged, 'file')}. ${time}`
    return `${style.red(stale(report))} ${freshening(report.changes)} ${time}`
  }
  const removed = report.changes.filter((change) => change.kind === 'removed').length
  const written = report.changes.length - removed
  const parts = [
    `${written} written`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    `${report.unchanged} unchanged`,
  ]
  return `${style.green('Generated')} ${tools}: ${parts.join(', ')}. ${time}`
}

/** What became of the files where there are errors: what exceeds a budget is generated and compared all the same. */
function compared(report: Report): string {
  if (report.changes.length > 0) return `${stale(report)} ${freshening(report.changes)}`
  return report.unchanged > 0 ? `${count(report.unchanged, 'file')} as generated.` : 'Nothing was compared.'
}

function stale({ changes }: Report): string {
  return `${count(changes.length, 'file')} not as generated.`
}

/** Suggests what to do about stale files. */
export function freshening(changes: readonly FileChange[]): string {
  const again = 'Run `callsheet generate` and commit the result.'
  return changes.some(isReformatted)
    ? `A formatter or linter changes them: let it ignore the folder (a line of .prettierignore, say). ${again}`
    : again
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
