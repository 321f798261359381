import { relative } from 'node:path'
import type { Round } from '../watch/watch.ts'
import { faultReport } from './fault-report.ts'
import { type ReportView, showReport } from './report-output.ts'
import { styleFor } from './style.ts'
import type { Terminal } from './terminal.ts'

/** Prints one round of watching: what changed, and the report's findings and summary. */
export function showRound(
  round: Round,
  changed: readonly string[],
  view: ReportView,
  terminal: Terminal,
): void {
  const style = styleFor(terminal.colours)
  if (changed.length > 0 && !view.silent)
    terminal.err(`${style.dim(`Changed: ${shownFiles(changed, terminal.cwd)}`)}\n`)
  if ('error' in round) faultReport(round.error, view.format, terminal)
  else showReport(round.report, view, terminal)
  if (changed.length === 0 && !view.silent) terminal.err(`${style.dim('Watching; Ctrl-C ends it.')}\n`)
}

function shownFiles(paths: readonly string[], cwd: string): string {
  const [first = '', ...rest] = paths.map((path) => relative(cwd, path))
  return rest.length === 0 ? first : `${first} and ${rest.length} more`
}
