import { basename, dirname, join, resolve } from 'node:path'
import { GeneratorError } from '../generator-error.ts'
import { nearestName } from '../names/nearest-name.ts'
import { type FileSystem, statIfPresent, systemCode } from '../write/file-system.ts'

/** The names of configuration files, in the order of the search. */
export const configNames: readonly string[] = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `callsheet.config.${extension}`,
)

/** The project folder and its configuration file. */
export interface FoundConfig {
  /** Absolute path of the project folder. The configuration's paths are relative to it. */
  readonly root: string
  /** Absolute path; undefined if the project has none and uses the defaults. */
  readonly file: string | undefined
  /** Every file that was searched, existing or not: the result changes if one appears. */
  readonly lookedFor: readonly string[]
}

/**
 * Finds the configuration: the named file, or else one in `folder`, or else one next to the nearest `package.json` above it.
 *
 * @throws GeneratorError `invalid_usage` if the folder or the named file does not exist; `invalid_config` if a folder has two
 * configurations.
 */
export function findConfig(folder: string, named: string | undefined, fileSystem: FileSystem): FoundConfig {
  const found = statIfPresent(folder, fileSystem)
  if (!found) throw usage(`The folder ${folder} does not exist.`, 'Correct --cwd.')
  if (!found.isDirectory()) throw usage(`${folder} is a file, not a folder.`, 'Correct --cwd.')
  if (named !== undefined) {
    const file = resolve(folder, named)
    if (!isFile(file, fileSystem)) throw noSuchConfig(named, file, fileSystem)
    return { root: dirname(file), file, lookedFor: [file] }
  }
  const root = packageFolder(folder, fileSystem)
  const folders = root === folder ? [folder] : [folder, root]
  const lookedFor = [
    join(folder, 'package.json'),
    ...folders.flatMap((place) => configNames.map((name) => join(place, name))),
  ]
  for (const place of folders) {
    const found = configNames.filter((name) => isFile(join(place, name), fileSystem))
    if (found.length > 1) {
      const message = `There are ${found.length} configurations in ${place}: ${found.join(', ')}.`
      throw new GeneratorError('invalid_config', [{ message, fix: 'Keep one, or name one with --config.' }])
    }
    if (found[0] !== undefined) return { root: place, file: join(place, found[0]), lookedFor }
  }
  return { root, file: undefined, lookedFor }
}

/** Finds the nearest folder with a `package.json`, upwards from `folder`; returns `folder` if there is none. */
function packageFolder(folder: string, fileSystem: FileSystem): string {
  for (let place = folder; ; place = dirname(place)) {
    if (isFile(join(place, 'package.json'), fileSystem)) return place
    if (place === dirname(place)) return folder
  }
}

function isFile(path: string, fileSystem: FileSystem): boolean {
  return statIfPresent(path, fileSystem)?.isFile() === true
}

function noSuchConfig(named: string, file: string, fileSystem: FileSystem): GeneratorError {
  const fix = 'Correct --config, or leave it out to use callsheet.config.ts or the defaults.'
  const isFolder = statIfPresent(file, fileSystem)?.isDirectory() === true
  if (isFolder) return usage(`The configuration ${named} is a folder.`, fix)
  const near = nearestName(basename(file), filesIn(dirname(file), fileSystem))
  const guess = near === undefined ? '' : ` Did you mean "${join(dirname(named), near)}"?`
  return usage(`The configuration ${named} does not exist.${guess}`, fix)
}

function filesIn(folder: string, fileSystem: FileSystem): string[] {
  try {
    return fileSystem.readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return []
  }
}

function usage(message: string, fix: string): GeneratorError {
  return new GeneratorError('invalid_usage', [{ message, fix }])
}
