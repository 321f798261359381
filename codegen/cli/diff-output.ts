import type { DiffReport } from '../diff/diff.ts'
import { githubReport } from '../diff/output/github-report.ts'
import { markdownReport } from '../diff/output/markdown-report.ts'
import { textReport } from '../diff/output/text-report.ts'
import { projectRoot, showAnnotations } from './annotations.ts'
import type { Given } from './command.ts'
import type { Terminal } from './terminal.ts'

/** Writes a comparison to standard output, in the requested format. */
export function showDiff(report: DiffReport, given: Given, terminal: Terminal): void {
  const format = given.values.get('format') ?? 'text'
  if (format === 'json') terminal.out(`${JSON.stringify(report, null, 2)}\n`)
  else if (format === 'github') showAnnotations(githubReport(report), projectRoot(given, terminal), terminal)
  else if (format === 'markdown') terminal.out(markdownReport(report))
  else if (!given.flags.has('silent') || !report.ok) terminal.out(textReport(report))
}
