import type { Implementations } from '../report/report.ts'
import { activityFiles } from '../scaffold/activity-files.ts'
import { coverageLines, coverageOf } from '../scaffold/coverage.ts'
import type { Terminal } from './terminal.ts'

/** Prints the missing and orphaned Activities (GEN-6) of each set whose activities folder exists. */
export function showCoverage(sets: readonly Implementations[], terminal: Terminal): void {
  const isOne = sets.length === 1
  for (const set of sets) {
    const files = activityFiles(set)
    if (files === undefined) continue
    const coverage = coverageOf(files, set.names, set.known, set.registered)
    for (const line of coverageLines(coverage, set.activitiesFolder, isOne ? undefined : set.output))
      terminal.err(`${line}\n`)
  }
}
