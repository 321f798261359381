import { basename, parse } from 'node:path'
import { namesAny } from './names-any.ts'
import type { RegistrationOrigins } from './registration-origins.ts'
import type { SourceReadings } from './source-readings.ts'

/** The sources of a project that need parsing. */
export interface RelevantFiles {
  /** The files that may register: they name `Activity`, or what another one passes its `Activity` on as. */
  readonly relevant: ReadonlySet<string>
  /** Those names. */
  readonly passedNames: readonly string[]
}

/** Finds the files that may register, by their texts and by what those found before export. */
export function relevantFiles(
  files: readonly string[],
  readings: SourceReadings,
  origins: RegistrationOrigins,
): RelevantFiles {
  const relevant = new Set<string>()
  const passed = new Set<string>()
  for (let words = ['Activity']; words.length > 0; ) {
    const names = namesAny(words)
    const more = files.filter((file) => !relevant.has(file) && names.test(readings.text(file)))
    for (const file of more) relevant.add(file)
    words = more.flatMap((file) => passedNames(file, readings, origins)).filter((name) => !passed.has(name))
    for (const name of words) passed.add(name)
  }
  return { relevant, passedNames: [...passed] }
}

/** Returns the other names under which a file exports an `Activity` or its `register`. */
function passedNames(file: string, readings: SourceReadings, origins: RegistrationOrigins): string[] {
  const { exportedPaths, exported } = readings.of(file)
  const passes = (path: readonly string[]): boolean =>
    exported(path).some((reference) => origins.of(file, reference).length > 0)
  const passed = exportedPaths.filter((path) => passes(path) || passes([...path, 'register']))
  return passed.flatMap(([name = '', ...rest]) =>
    name === 'default' ? [...defaultNames(file), ...rest] : [name],
  )
}

/**
 * Returns what a file that imports a default export has in its text: the name of its file or, of an index, of its folder. Through an alias
 * it may have another one; then only the call of a `register` is found.
 */
function defaultNames(file: string): string[] {
  const { name, dir } = parse(file)
  return ['register', name === 'index' ? basename(dir) : name]
}
