import { resolve } from 'node:path'
import type { Implementations } from '../report/report.ts'
import { coverageLines, coverageOf } from '../scaffold/coverage.ts'
import { activityFiles } from '../scaffold/registrations.ts'
import type { Terminal } from './terminal.ts'

/** Says which Activities are missing or orphaned (GEN-6), for each set whose activities folder exists. */
export function showCoverage(sets: readonly Implementations[], terminal: Terminal): void {
  for (const { root, folder, names, known } of sets) {
    const files = activityFiles(resolve(root, folder), folder)
    if (files === undefined) continue
    for (const line of coverageLines(coverageOf(files, names, known), folder)) terminal.err(`${line}\n`)
  }
}
