import { resolve } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { sortFindings } from '../findings/finding-text.ts'
import { hasError } from '../findings/has-error.ts'
import type { Checked, Emitted, Written } from '../pipeline.ts'
import { expectedActivities } from '../scaffold/expected-activities.ts'
import type { FileChange, Implementations, Report } from './report.ts'

/** Creates the report on all sets, each with the changes that were, or would be, written. */
export function reportOf(config: LoadedConfig, sets: readonly Written[]): Report {
  const findings = sortFindings(sets.flatMap(({ emitted, plan }) => [...emitted.findings, ...plan.findings]))
  const checked = sets.map(({ emitted }) => emitted.checked)
  return {
    ok: !hasError(findings),
    findings,
    changes: sets.flatMap(shownChanges).sort((left, right) => byCodeUnit(left.path, right.path)),
    unchanged: sets.reduce((sum, { plan }) => sum + plan.unchanged, 0),
    tools: checked.reduce((sum, { checkedModel }) => sum + checkedModel.tools.length, 0),
    inputs: [...new Set([...config.inputs, ...checked.flatMap(({ loaded }) => loaded.inputs)])],
    sourceFolders: [...new Set(checked.flatMap(({ loaded }) => loaded.registered.folders))],
    passedNames: [...new Set(checked.flatMap(({ loaded }) => loaded.registered.passedNames))],
    definitions: checked.flatMap(definitionPaths),
    outputs: sets.map(({ emitted }) => emitted.output.absolute),
    implementations: checked.map(implementationsOf),
  }
}

function implementationsOf({ settings, checkedModel, loaded }: Checked): Implementations {
  return {
    root: settings.root,
    output: settings.output,
    otherOutputs: settings.otherOutputs,
    activitiesFolder: settings.activitiesFolder,
    names: expectedActivities(checkedModel, settings).map(({ name }) => name),
    known: checkedModel.tools.map(({ name, schema }) => toolFacts(name, schema).activity ?? name),
    registered: loaded.registered.registrations.map(({ name }) => name),
  }
}

function shownChanges({ emitted, plan }: Written): FileChange[] {
  return plan.changes.map((change) => ({
    path: `${emitted.output.shown}/${change.path}`,
    kind: change.kind,
    before: change.kind === 'added' ? undefined : change.before,
    after: change.kind === 'removed' ? undefined : change.after,
  }))
}

/** Returns the absolute paths of a set's output files. */
export function outputFiles({ output, files }: Emitted): string[] {
  return files.map((file) => resolve(output.absolute, file.path))
}

/** Returns the absolute paths of the folders and files that are searched for a set's definitions. */
export function definitionPaths({ settings }: Checked): string[] {
  return settings.definitions.map((path) => resolve(settings.root, path))
}
