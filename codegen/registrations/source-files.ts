import type { Dirent } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { portablePath } from '../paths/portable-path.ts'
import { entriesIfReadable, readIfPresent, realFileSystem, statIfPresent } from '../write/file-system.ts'
import { isComponentName, isSourceName, mayHoldSources } from './source-names.ts'

/** The sources of a project. Absolute paths, in an order that does not depend on the machine. */
export interface SourceFiles {
  readonly files: readonly string[]
  /** Components, in the same order: files that have scripts in them and are not parsed. */
  readonly components: readonly string[]
  /** Every searched folder. */
  readonly folders: readonly string[]
}

/** The rules of one `.gitignore`, and the folder that they apply to. */
interface IgnoreFile {
  readonly folder: string
  readonly rules: Ignore
}

/**
 * Lists the source files of a project. Skips files that git ignores (such as build output, which only some machines have),
 * tests, hidden files and folders, nested packages, and JavaScript next to the TypeScript that it was compiled from. Follows
 * symbolic links to files, but not to folders, which could lead in circles or to other projects.
 *
 * @param skipped Further folders to skip: the output of the generator and the compiler.
 */
export function sourceFiles(root: string, skipped: ReadonlySet<string>): SourceFiles {
  const files: string[] = []
  const components: string[] = []
  const folders: string[] = []
  const walk = (folder: string, above: readonly IgnoreFile[]): void => {
    const entries = entriesIfReadable(folder)
    if (entries === undefined) return
    if (folder !== root && entries.some(({ name }) => name === 'package.json') && isPackage(folder)) return
    folders.push(folder)
    const own = ignoreFile(folder)
    const rules = own ? [...above, own] : above
    const names = new Set(entries.map(({ name }) => name))
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        const isLeftOut = skipped.has(path) || isIgnored(`${path}${sep}`, rules)
        if (mayHoldSources(entry.name) && !isLeftOut) walk(path, rules)
      } else if (isSource(entry, path) && !isCompiled(entry.name, names) && !isIgnored(path, rules))
        files.push(path)
      else if (entry.isFile() && isComponentName(entry.name) && !isIgnored(path, rules)) components.push(path)
    }
  }
  walk(root, ignoreFilesAbove(root))
  return {
    files: files.sort(byCodeUnit),
    components: components.sort(byCodeUnit),
    folders: folders.sort(byCodeUnit),
  }
}

function isSource(entry: Dirent, path: string): boolean {
  if (!isSourceName(entry.name)) return false
  return entry.isFile() || (entry.isSymbolicLink() && statIfPresent(path)?.isFile() === true)
}

/** Whether a file is JavaScript next to the TypeScript that it was compiled from. */
function isCompiled(name: string, beside: ReadonlySet<string>): boolean {
  const source = /^(.*\.[cm]?)jsx?$/.exec(name)
  return source !== null && (beside.has(`${source[1]}ts`) || beside.has(`${source[1]}tsx`))
}

/** Whether a folder is a package: its `package.json` has a name. One without a name only sets `"type"`. */
function isPackage(folder: string): boolean {
  return /"name"\s*:/.test(readIfPresent(join(folder, 'package.json'), realFileSystem) ?? '')
}

/** Reads the rules from the repository's top down to the folder above `root`; none if they ignore the project itself. */
function ignoreFilesAbove(root: string): IgnoreFile[] {
  const found: IgnoreFile[] = []
  for (let folder = root; !entriesIfReadable(folder)?.some(({ name }) => name === '.git'); ) {
    const above = dirname(folder)
    if (above === folder) return []
    folder = above
    const file = ignoreFile(folder)
    if (file) found.unshift(file)
  }
  return isIgnored(`${root}${sep}`, found) ? [] : found
}

function ignoreFile(folder: string): IgnoreFile | undefined {
  const text = readIfPresent(join(folder, '.gitignore'), realFileSystem)
  return text === undefined ? undefined : { folder, rules: ignore().add(text) }
}

/** Whether git ignores a path: the deepest file with a matching rule decides. */
function isIgnored(path: string, files: readonly IgnoreFile[]): boolean {
  for (const { folder, rules } of files.toReversed()) {
    const way = portablePath(folder, path) + (path.endsWith(sep) ? '/' : '')
    const { ignored, unignored } = rules.test(way)
    if (ignored || unignored) return ignored
  }
  return false
}
