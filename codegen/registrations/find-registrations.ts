import type { Finding, SourcePosition } from '../model.ts'
import { type RegistrationOrigin, RegistrationOrigins } from './registration-origins.ts'
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
}

/** The registrations of one file. */
export interface FileRegistrations
  extends Pick<FoundRegistrations, 'registrations' | 'computed' | 'findings'> {
  /** How many there are for other sets and for registries made by hand. */
  readonly others: number
}

/** Finds the Activities that a project registers for one set (ACT-3b), anywhere in its sources except tests. */
export function findRegistrations(scope: RegistrationScope): FoundRegistrations {
  const { files, folders } = searchedSources(scope)
  const found = registrationsOf(files, scope)
  return {
    registrations: found.flatMap(({ registrations }) => registrations),
    computed: found.flatMap(({ computed }) => computed),
    findings: found.flatMap(({ findings }) => findings),
    folders,
  }
}

/** Returns what each of some files registers for a set, by their absolute paths. */
export function registrationsOf(files: readonly string[], scope: OutputFolders): FileRegistrations[] {
  const readings = new SourceReadings(scope.root)
  const origins = new RegistrationOrigins(scope, readings)
  const relevant = relevantFiles(files, readings, origins)
  return files.map((file) =>
    relevant.has(file)
      ? registrationsIn(file, readings, origins)
      : { registrations: [], computed: [], findings: [], others: 0 },
  )
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

/** Returns the files that may register: they name `Activity`, or what another one passes its `Activity` on as. */
function relevantFiles(
  files: readonly string[],
  readings: SourceReadings,
  origins: RegistrationOrigins,
): Set<string> {
  const relevant = new Set<string>()
  for (let words = ['Activity']; words.length > 0; ) {
    const any = words.map((word) => word.replaceAll(/[^\w]/g, '\\$&')).join('|')
    const isNamed = new RegExp(`(?<![\\w$])(?:${any})(?![\\w$])`)
    const more = files.filter((file) => !relevant.has(file) && isNamed.test(readings.text(file)))
    for (const file of more) relevant.add(file)
    words = more.flatMap((file) => passedNames(file, readings, origins))
  }
  return relevant
}

/** Returns the other names under which a file exports an `Activity` or its `register`. */
function passedNames(file: string, readings: SourceReadings, origins: RegistrationOrigins): string[] {
  const { exportedPaths, exported } = readings.of(file)
  const passes = (path: readonly string[]): boolean =>
    exported(path).some((reference) => origins.of(file, reference).length > 0)
  const passed = exportedPaths.filter((path) => passes(path) || passes([...path, 'register']))
  // An importer gives a name of its own to a default export.
  return passed.flatMap(([name = '', ...rest]) => (name === 'default' ? ['register', ...rest] : [name]))
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
