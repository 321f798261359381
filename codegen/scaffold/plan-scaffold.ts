import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { Finding, GeneratedFile } from '../model.ts'
import { fileName } from '../names/file-name.ts'
import type { ReadSet } from '../read-models.ts'
import { findRegistrations } from '../registrations/find-registrations.ts'
import { type ActivityFile, activityFiles } from './activity-files.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { type ExpectedActivity, expectedActivities } from './expected-activities.ts'
import { stubFile } from './stub.ts'

/** The planned changes of scaffolding one set of definitions. */
export interface ScaffoldPlan {
  readonly set: ReadSet
  /** New files, relative to the activities folder. */
  readonly create: readonly GeneratedFile[]
  /** Existing files that lack registrations, which only `--merge` changes. */
  readonly merge: readonly MergeTask[]
  readonly coverage: Coverage
}

/** Registrations to insert into a file. */
export interface MergeTask {
  readonly file: ActivityFile
  readonly missing: readonly ExpectedActivity[]
}

/**
 * Plans a file for each missing Activity. If its file exists already (the file of its name, unless that is another set's, or, with
 * `merge`, the file that implements its toolkit), it becomes a merge task.
 */
export function planScaffold(set: ReadSet, options: { readonly merge: boolean }): ScaffoldPlan {
  const { settings, model } = set
  const files = activityFiles(settings) ?? []
  const expected = expectedActivities(model, settings)
  const known = model.tools.map(({ name, schema }) => toolFacts(name, schema).activity ?? name)
  const coverage = coverageOf(
    files,
    expected.map(({ name }) => name),
    known,
    registeredNames(settings),
  )
  const create: GeneratedFile[] = []
  const merge = new Map<ActivityFile, ExpectedActivity[]>()
  for (const activity of expected) {
    if (!coverage.gaps.includes(activity.name)) continue
    const plain = `${fileName(activity.name)}.ts`
    // Of several sets in one folder, each gets a file of its own.
    const isTaken = !options.merge && fileOfName(files, plain)?.isOfOthers === true
    const path = isTaken ? nameWithSet(activity.name, settings) : plain
    const place = fileOfName(files, path) ?? (options.merge ? fileOfToolkit(files, activity.name) : undefined)
    if (place) merge.set(place, [...(merge.get(place) ?? []), activity])
    else create.push({ path, text: stubFile(activity, settings, path) })
  }
  return { set, create, merge: [...merge].map(([file, missing]) => ({ file, missing })), coverage }
}

/** Returns the names that the project registers anywhere: they need no new file. */
export function registeredNames(settings: Settings): string[] {
  return findRegistrations(settings).registrations.map(({ name }) => name)
}

/** Names a file after an Activity and the output folder of its set. */
function nameWithSet(name: string, { output }: Settings): string {
  return `${fileName(name)}-${output.replace(/[^\w-]+/g, '-')}.ts`
}

/** Finds a file ignoring case, since on some file systems `Get.ts` and `get.ts` are the same file. */
function fileOfName(files: readonly ActivityFile[], path: string): ActivityFile | undefined {
  return files.find((file) => file.path.toLowerCase() === path.toLowerCase())
}

/** Finds the file that implements other members of the same toolkit; undefined if there are several. */
function fileOfToolkit(files: readonly ActivityFile[], name: string): ActivityFile | undefined {
  const toolkit = name.slice(0, name.lastIndexOf('.') + 1)
  if (toolkit === '') return undefined
  const [only, ...more] = files.filter((file) =>
    file.registrations.some((each) => each.name.startsWith(toolkit)),
  )
  return more.length === 0 ? only : undefined
}

/** Reports a file that lacks registrations and is not changed without `--merge`. */
export function needsMerge({ file, missing }: MergeTask, folder: string): Finding {
  const names = missing.map(({ name }) => name).join(', ')
  return {
    rule: 'missing-registration',
    severity: 'warning',
    message: `${folder}/${file.path} is there, and registers no Activity ${names}.`,
    fix: 'Register it there, or run callsheet scaffold --merge, which shows what it would insert.',
    at: { file: `${folder}/${file.path}`, line: 1, column: 1 },
  }
}
