import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entriesIfReadable, realFileSystem, remove, statIfPresent } from '../write/file-system.ts'

/** A folder for the module, and whether Node finds the project's packages from there. */
export interface ModulePlace {
  /** undefined for a new temporary folder. */
  readonly folder: string | undefined
  readonly findsPackages: boolean
}

/**
 * Lists the folders in which a bundle can be written and imported, best first: the cache folder of the nearest `node_modules`; the
 * project folder, if there is none or it is read-only; a temporary folder.
 *
 * @param ownPackage True when the definitions import their own package by name, which Node allows only from outside
 * `node_modules`.
 */
export function modulePlaces(root: string, ownPackage: boolean): ModulePlace[] {
  const [packages] = packageFolders(root)
  return [
    ...(packages && !ownPackage
      ? [{ folder: join(packages, '.cache', 'callsheet'), findsPackages: true }]
      : []),
    { folder: root, findsPackages: true },
    { folder: undefined, findsPackages: !ownPackage },
  ]
}

/** Lists the `node_modules` of a folder and its parents, the nearest first. */
function packageFolders(folder: string): string[] {
  const packages = join(folder, 'node_modules')
  const parent = dirname(folder)
  const above = parent === folder ? [] : packageFolders(parent)
  return existsSync(packages) ? [packages, ...above] : above
}

/** A module file that was written and can be imported. */
export interface WrittenModule {
  readonly path: string
  /** Imports the file and removes it, also if the import fails. */
  run(): Promise<Record<string, unknown>>
}

/**
 * Writes code into a module file with a unique name, so that a repeated load gets the new code and processes do not collide.
 *
 * @returns undefined if the folder is not writable, or has no space left.
 */
export function writeModule(folder: string, code: string): WrittenModule | undefined {
  return written(() => {
    mkdirSync(folder, { recursive: true })
    removeLeftOvers(folder)
    const path = join(folder, moduleName())
    const clean = (): void => remove(path, realFileSystem)
    try {
      writeFileSync(path, code)
    } catch (error) {
      clean()
      throw error
    }
    return { path, clean }
  })
}

/**
 * Like {@link writeModule}, in a new temporary folder from which Node finds the same packages as from the project: it links to each
 * `node_modules`, in nested folders.
 */
export function writeTemporaryModule(root: string, code: string): WrittenModule | undefined {
  return written(() => {
    const whole = mkdtempSync(join(tmpdir(), 'callsheet-'))
    const clean = (): void => rmSync(whole, { recursive: true, force: true })
    try {
      let folder = whole
      for (const packages of packageFolders(root).toReversed()) {
        folder = join(folder, 'in')
        mkdirSync(folder)
        symlinkSync(packages, join(folder, 'node_modules'), 'junction')
      }
      const path = join(folder, moduleName())
      writeFileSync(path, code)
      return { path, clean }
    } catch (error) {
      clean()
      throw error
    }
  })
}

function moduleName(): string {
  return `.callsheet-${process.pid}-${randomUUID()}.mjs`
}

/** After this many milliseconds nobody imports a module any more. */
const leftAfter = 3_600_000

/** Removes the modules that killed runs left in a folder. */
function removeLeftOvers(folder: string): void {
  for (const { name } of entriesIfReadable(folder) ?? []) {
    const path = join(folder, name)
    const isModule = /^\.callsheet-\d+-[\da-f-]{36}\.mjs$/.test(name)
    if (isModule && Date.now() - (statIfPresent(path)?.mtimeMs ?? Date.now()) > leftAfter)
      remove(path, realFileSystem)
  }
}

function written(write: () => { path: string; clean: () => void }): WrittenModule | undefined {
  try {
    const { path, clean } = write()
    return {
      path,
      async run() {
        try {
          return (await import(pathToFileURL(path).href)) as Record<string, unknown>
        } finally {
          clean()
        }
      },
    }
  } catch (error) {
    if (cannotWrite(error)) return undefined
    throw error
  }
}

/** What says that a folder is not writable, or has no space left. */
const unwritable: readonly string[] = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT'],
  ...['ENOSPC', 'EDQUOT', 'EFBIG'],
]

function cannotWrite(error: unknown): boolean {
  return unwritable.includes((error as NodeJS.ErrnoException).code ?? '')
}
