import { byCodeUnit } from '../runtime/json/json.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { sortFindings } from './finding-text.ts'
import { definitionPaths, type GeneratedSet } from './generated-set.ts'
import { type FileChange, hasError, type Report } from './report.ts'
import type { OutputFolder } from './write/output-folder.ts'
import type { WritePlan } from './write/plan.ts'

/** The report on all sets, each with the plan of what was, or would be, written. */
export function reportOf(
  config: LoadedConfig,
  sets: readonly GeneratedSet[],
  plans: readonly WritePlan[],
): Report {
  const findings = sortFindings([...sets, ...plans].flatMap((part) => part.findings))
  const changes = sets.flatMap((set, index) => shownChanges(set.output, plans[index]))
  return {
    ok: !hasError(findings),
    findings,
    changes: changes.sort((left, right) => byCodeUnit(left.path, right.path)),
    unchanged: plans.reduce((sum, plan) => sum + plan.unchanged, 0),
    tools: sets.reduce((sum, set) => sum + set.tools, 0),
    inputs: [...new Set([...config.inputs, ...sets.flatMap((set) => set.inputs)])],
    definitions: sets.flatMap(definitionPaths),
    outputs: sets.map((set) => set.output.absolute),
    implementations: sets.map((set) => set.implementations),
  }
}

function shownChanges(output: OutputFolder, plan: WritePlan | undefined): FileChange[] {
  return (plan?.changes ?? []).map((change) => ({
    path: `${output.shown}/${change.path}`,
    kind: change.kind,
    before: change.kind === 'added' ? undefined : change.before,
    after: change.kind === 'removed' ? undefined : change.after,
  }))
}
