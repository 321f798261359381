import { findingText, sortFindings } from '../findings/finding-text.ts'
import type { Finding } from '../model.ts'
import { showAnnotations } from './annotations.ts'
import type { Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { styleFor } from './style.ts'
import type { Terminal } from './terminal.ts'

/** The result of an import. Paths are relative to the working folder. */
export interface ImportReport {
  readonly ok: boolean
  readonly findings: readonly Finding[]
  readonly written: readonly string[]
  readonly unchanged: readonly string[]
}

/** Prints an import's result: the written files to standard output, messages to standard error. */
export function showImport(report: ImportReport, given: Given, terminal: Terminal): void {
  const findings = sortFindings(report.findings)
  const format = given.values.get('format')
  if (format === 'json') terminal.out(`${JSON.stringify({ ...report, findings }, null, 2)}\n`)
  else if (format === 'github') {
    showAnnotations(findings, configOptions(given, terminal).cwd ?? terminal.cwd, terminal)
  } else showText({ ...report, findings }, given.flags.has('silent'), terminal)
}

function showText(report: ImportReport, silent: boolean, terminal: Terminal): void {
  const errors = report.findings.filter((finding) => finding.severity === 'error')
  for (const finding of silent ? errors : report.findings) terminal.err(`${findingText(finding).trimEnd()}\n`)
  if (!silent) terminal.out(report.written.map((path) => `${path}\n`).join(''))
  if (!silent || !report.ok) terminal.err(`${summary(report, terminal)}\n`)
}

function summary(report: ImportReport, terminal: Terminal): string {
  const style = styleFor(terminal.colours)
  const { written, unchanged } = report
  const errors = report.findings.filter((finding) => finding.severity === 'error')
  const refused = new Set(errors.map(({ tool, message }) => tool ?? message)).size
  const wrong = refused > 0 ? ` ${style.red(`${refused} not imported`)} (see above).` : ''
  // One existing file prevents writing all of them.
  if (errors.some(({ rule }) => rule === 'file-exists')) return `Nothing was imported (see above).`
  const next = written.length > 0 ? ' Review the definitions, then run `callsheet generate`.' : ''
  return `${style.green('Imported:')} ${written.length} written, ${unchanged.length} unchanged.${wrong}${next}`
}
