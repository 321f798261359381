import type { DiffReport } from '../diff/diff.ts'
import { githubReport } from '../diff/output/github-report.ts'
import { markdownReport } from '../diff/output/markdown-report.ts'
import { textReport } from '../diff/output/text-report.ts'
import type { Terminal } from './terminal.ts'

/** Writes a comparison in the format asked for, all of it as data: it is what the command is for. */
export function showDiff(report: DiffReport, format: string, silent: boolean, terminal: Terminal): void {
  if (format === 'json') terminal.out(`${JSON.stringify(report, null, 2)}\n`)
  else if (format === 'github') terminal.out(githubReport(report))
  else if (format === 'markdown') terminal.out(markdownReport(report))
  else if (!silent || !report.ok) terminal.out(textReport(report))
}
