import { findingText } from '../findings/finding-text.ts'
import { hasError } from '../findings/has-error.ts'
import type { Finding } from '../model.ts'
import type { FileChange, Report } from '../report/report.ts'
import { readableDiff } from '../write/unified-diff.ts'
import { showAnnotations } from './annotations.ts'
import { styleFor } from './style.ts'
import { freshening, summary } from './summary.ts'
import type { Terminal } from './terminal.ts'

/** How to print a report. */
export interface ReportView {
  readonly format: 'text' | 'json' | 'github'
  readonly checking: boolean
  readonly diff: boolean
  readonly silent: boolean
  /** The folder that paths are relative to. */
  root(): string
  readonly milliseconds: number
}

/** Prints a report in the requested format: data to standard output, messages to standard error. */
export function showReport(report: Report, view: ReportView, terminal: Terminal): void {
  if (view.format === 'json') terminal.out(jsonReport(report, view))
  else if (view.format === 'github') showAnnotations(annotated(report, view), view.root(), terminal)
  else showText(report, view, terminal)
}

function showText(report: Report, view: ReportView, terminal: Terminal): void {
  const style = styleFor(terminal.colours)
  // Notes are hidden while there are errors; `callsheet lint` always prints them.
  const least = view.silent ? ['error'] : hasError(report.findings) ? ['error', 'warning'] : undefined
  const shown = report.findings.filter(({ severity }) => least?.includes(severity) ?? true)
  for (const finding of shown) terminal.err(`${findingText(finding).trimEnd()}\n`)
  if (view.checking) terminal.out(staleFiles(report, view))
  if (!view.silent || !report.ok) terminal.err(`${summary(report, view, style)}\n`)
}

/** Prints one line per stale file, or its diff. */
function staleFiles(report: Report, view: ReportView): string {
  return report.changes
    .map((change) => (view.diff ? readableDiff(change) : `${staleness[change.kind]} ${change.path}\n`))
    .join('')
}

/** The state of a file, by the change that `generate` would make. */
const staleness: Readonly<Record<FileChange['kind'], string>> = {
  added: 'missing',
  changed: 'stale',
  removed: 'obsolete',
}

function jsonReport(report: Report, view: ReportView): string {
  const { ok, tools, unchanged, findings } = report
  const changes = report.changes.map((change) => ({
    path: change.path,
    kind: change.kind,
    ...(view.diff && { diff: readableDiff(change) }),
  }))
  return `${JSON.stringify({ ok, tools, changes, unchanged, findings }, null, 2)}\n`
}

function annotated(report: Report, view: ReportView): Finding[] {
  const stale = view.checking ? report.changes.map(staleFinding) : []
  return [...report.findings, ...stale]
}

function staleFinding(change: FileChange): Finding {
  const { path, kind } = change
  return {
    rule: 'stale-file',
    severity: 'error',
    message: `${path} is ${staleness[kind]}.`,
    fix: freshening([change]),
    at: { file: path, line: 1, column: 1 },
  }
}
