import { resolutionFiles } from '../load/resolution-files.ts'
import type { Finding, SourcePosition } from '../model.ts'
import { portablePath } from '../paths/portable-path.ts'
import { alternatives } from './names-any.ts'
import { type RegistrationOrigin, RegistrationOrigins } from './registration-origins.ts'
import { type RelevantFiles, relevantFiles } from './relevant-files.ts'
import { type OutputFolders, type RegistrationScope, searchedSources } from './searched-sources.ts'
import { SourceReadings } from './source-readings.ts'

/** A call of `Activity.register` in a source file. */
export interface Registration {
  readonly name: string
  readonly at: SourcePosition
}

/** The Activities that a project registers, and the searched folders. */
export interface FoundRegistrations {
  /** Sorted by file and position. */
  readonly registrations: readonly Registration[]
  /** Positions of registrations with computed names, in the same order. */
  readonly computed: readonly SourcePosition[]
  /** An error for each file that does not parse, so that nobody knows what it registers. */
  readonly findings: readonly Finding[]
  /** Absolute paths of the folders that were searched. */
  readonly folders: readonly string[]
  /** Absolute paths of what else decides what the sources mean, existing or not: `package.json`, and files that were not searched. */
  readonly inputs: readonly string[]
  /** What a source names, beside `Activity`, that has an `Activity` or its `register` from another one. */
  readonly passedNames: readonly string[]
  /** Returns the calls of a `register` with one of some names, of which the sources do not tell whether it is that of an `Activity`. */
  unfollowed(names: readonly string[]): readonly Registration[]
}

/** The registrations of one file. */
export interface FileRegistrations
  extends Pick<FoundRegistrations, 'registrations' | 'computed' | 'findings'> {
  /** How many there are for other sets and for registries made by hand. */
  readonly others: number
}

/** Finds the Activities that a project registers for one set (ACT-3b), anywhere in its sources except tests. */
export function findRegistrations(scope: RegistrationScope): FoundRegistrations {
  const { files, components, folders } = searchedSources(scope)
  const { found, relevant, passedNames, readings, origins } = search(files, scope)
  const searched = new Set(files)
  const inputs = [...origins.asked, ...resolutionFiles([...relevant], scope.root)]
  return {
    registrations: found.flatMap(({ registrations }) => registrations),
    computed: found.flatMap(({ computed }) => computed),
    findings: found.flatMap(({ findings }) => findings),
    folders,
    inputs: [...new Set(inputs)].filter((path) => !searched.has(path)),
    passedNames,
    unfollowed(names) {
      const quoted = new RegExp(`(["'\`])${alternatives(names)}\\1`)
      const few = files.filter((file) => {
        const text = readings.text(file)
        return /\bregister\b/.test(text) && quoted.test(text)
      })
      return [
        ...few.flatMap((file) => unfollowedIn(file, readings, origins)),
        ...components.flatMap((file) => writtenIn(readings.text(file), portablePath(scope.root, file))),
      ].filter(({ name }) => names.includes(name))
    },
  }
}

/** Returns what each of some files registers for a set, by their absolute paths. */
export function registrationsOf(
  files: readonly string[],
  scope: OutputFolders,
): readonly FileRegistrations[] {
  return search(files, scope).found
}

interface Search extends RelevantFiles {
  /** What each of the files registers. */
  readonly found: readonly FileRegistrations[]
  readonly readings: SourceReadings
  readonly origins: RegistrationOrigins
}

function search(files: readonly string[], scope: OutputFolders): Search {
  const readings = new SourceReadings(scope.root)
  const origins = new RegistrationOrigins(scope, readings)
  const { relevant, passedNames } = relevantFiles(files, readings, origins)
  const found = files.map((file) =>
    relevant.has(file)
      ? registrationsIn(file, readings, origins)
      : { registrations: [], computed: [], findings: [], others: 0 },
  )
  return { found, relevant, passedNames, readings, origins }
}

function registrationsIn(
  file: string,
  readings: SourceReadings,
  origins: RegistrationOrigins,
): FileRegistrations {
  const { calls, problem } = readings.of(file)
  const made = calls.flatMap(({ of, ...call }) => {
    const from = of.flatMap((reference) => origins.of(file, reference))
    return from.length > 0 ? [{ ...call, from }] : []
  })
  const isOwn = (origin: RegistrationOrigin): boolean => origins.isOwn(origin)
  const own = made.filter(({ from }) => from.some(isOwn))
  return {
    registrations: own.flatMap(({ name, at }) => (name === undefined ? [] : [{ name, at }])),
    // If `Activity` is a parameter, computed names are intended: they come from the caller.
    computed: own.flatMap(({ name, at, from }) =>
      name === undefined && from.some((origin) => origin !== undefined && isOwn(origin)) ? [at] : [],
    ),
    findings: problem ? [unreadable(problem)] : [],
    others: made.length - own.length,
  }
}

/** Returns the calls of a member `register`, but for those of a `Tool`, of another set, and of a registry made by hand. */
function unfollowedIn(file: string, readings: SourceReadings, origins: RegistrationOrigins): Registration[] {
  return readings.of(file).calls.flatMap(({ name, at, of, isMember }) => {
    const from = of.flatMap((reference) => origins.of(file, reference))
    const isOther =
      of.some(({ path }) => path.at(-2) === 'Tool') ||
      (from.length > 0 && !from.some((each) => origins.isOwn(each)))
    return name === undefined || !isMember || isOther ? [] : [{ name, at }]
  })
}

/** Returns the calls of `Activity.register` in the text of a component, which is not parsed. */
function writtenIn(text: string, file: string): Registration[] {
  return [...text.matchAll(/\bActivity\.register\(\s*(["'`])(.+?)\1/g)].map(({ index, 2: name = '' }) => {
    const before = text.slice(0, index).split('\n')
    return { name, at: { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } }
  })
}

function unreadable({ message, at }: { readonly message: string; readonly at: SourcePosition }): Finding {
  return {
    rule: 'unreadable-file',
    severity: 'error',
    message: `${at.file} does not parse (${message}), so it is not known which Activities it registers.`,
    fix: 'Correct it. If no program runs it, let git ignore it, or move it to a folder of tests.',
    at,
  }
}
