import { join, resolve } from 'node:path'
import { isMissingCompiler } from '../functions/add-functions.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Finding } from '../model.ts'
import type { ReadSet } from '../read-models.ts'
import { RegistrationOrigins } from '../registrations/registration-origins.ts'
import { SourceReadings } from '../registrations/source-readings.ts'
import { realFileSystem } from '../write/file-system.ts'
import { replaceFile } from '../write/replace-file.ts'
import { writeNewFiles } from '../write/write-new-files.ts'
import { activityFiles } from './activity-files.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { needsMerge, planScaffold, registeredNames, type ScaffoldPlan } from './plan-scaffold.ts'
import { indexImport } from './stub.ts'

/** A file before and after inserting registrations. `path` is relative to the project. */
export interface MergedFile {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** How to scaffold. */
export interface ScaffoldOptions {
  /** Insert missing registrations into files that exist. */
  readonly merge: boolean
  /** Called once with all insertions; nothing is inserted unless it resolves with true. */
  readonly confirm: (files: readonly MergedFile[]) => Promise<boolean>
}

/** The result of scaffolding one set. Paths are relative to the project. */
export interface ScaffoldResult {
  /** The set's output folder. */
  readonly output: string
  readonly folder: string
  readonly written: readonly string[]
  readonly merged: readonly string[]
  readonly findings: readonly Finding[]
  /** The coverage afterwards. */
  readonly coverage: Coverage
}

/**
 * Writes an implementation file for each missing Activity (GEN-6). Never changes existing files, except with `merge`, which
 * only inserts.
 *
 * @throws GeneratorError `cannot_write`, `cannot_read`.
 */
export async function scaffold(set: ReadSet, options: ScaffoldOptions): Promise<ScaffoldResult> {
  const { root, activitiesFolder } = set.settings
  const plan = planScaffold(set, options)
  const output = { absolute: resolve(root, activitiesFolder), shown: activitiesFolder }
  const { written } = writeNewFiles(plan.create, output, false, realFileSystem)
  const { merged, findings } = options.merge
    ? await mergeAll(plan, options)
    : { merged: [], findings: plan.merge.map((task) => needsMerge(task, activitiesFolder)) }
  return {
    output: set.settings.output,
    folder: activitiesFolder,
    written: written.map((path) => `${activitiesFolder}/${path}`),
    merged,
    findings: [...findings, ...(written.length + merged.length > 0 ? possiblyTwice(set) : [])],
    coverage: coverageAfter(plan),
  }
}

/** Warns of each place that may register one of the Activities whose files were written. */
function possiblyTwice({ findings }: ReadSet): Finding[] {
  return findings
    .filter(({ rule }) => rule === 'computed-registration' || rule === 'unfollowed-registration')
    .map((finding) => ({
      ...finding,
      message:
        'This may register an Activity that was written now as well. Registered twice, the later one runs.',
      fix: 'If so, delete what was written, and list the Tools under "activities" in the configuration.',
    }))
}

async function mergeAll(
  plan: ScaffoldPlan,
  { confirm }: ScaffoldOptions,
): Promise<{ merged: string[]; findings: Finding[] }> {
  if (plan.merge.length === 0) return { merged: [], findings: [] }
  const { root, activitiesFolder } = plan.set.settings
  const mergeRegistrations = await loadMerge()
  const origins = new RegistrationOrigins(plan.set.settings, new SourceReadings(root))
  const findings: Finding[] = []
  const changes: MergedFile[] = []
  for (const task of plan.merge) {
    const { path, text } = task.file
    const file = resolve(root, activitiesFolder, path)
    const after = mergeRegistrations(text, task.missing, {
      index: indexImport(plan.set.settings, path),
      isOther: (specifier) => !origins.hasOwnActivity(file, specifier),
    })
    if (after === undefined) findings.push(doesNotParse(`${activitiesFolder}/${path}`))
    else changes.push({ path: `${activitiesFolder}/${path}`, before: text, after })
  }
  if (changes.length === 0 || !(await confirm(changes))) {
    return {
      merged: [],
      findings: [...findings, ...plan.merge.map((task) => needsMerge(task, activitiesFolder))],
    }
  }
  for (const { path, before, after } of changes) replaceFile(join(root, path), before, after, realFileSystem)
  return { merged: changes.map(({ path }) => path), findings }
}

async function loadMerge(): Promise<typeof import('./merge.ts').mergeRegistrations> {
  try {
    return (await import('./merge.ts')).mergeRegistrations
  } catch (error) {
    if (!isMissingCompiler(error)) throw error
    const fault = {
      message: '--merge reads your files with ts-morph, which is not installed.',
      fix: 'Install it: npm install --save-dev ts-morph',
    }
    throw new GeneratorError('cannot_read', [fault], error)
  }
}

function doesNotParse(file: string): Finding {
  return {
    rule: 'unreadable-file',
    severity: 'error',
    message: `${file} does not parse, so nothing is inserted into it.`,
    fix: 'Correct it, then run callsheet scaffold --merge again.',
    at: { file, line: 1, column: 1 },
  }
}

function coverageAfter({ set, coverage }: ScaffoldPlan): Coverage {
  const { gaps, registered, orphans } = coverage
  const files = activityFiles(set.settings) ?? []
  const after = coverageOf(files, [...registered, ...gaps], [], registeredNames(set.settings))
  return { ...after, orphans }
}
