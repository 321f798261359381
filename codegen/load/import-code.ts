import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { realFileSystem, remove } from '../write/file-system.ts'

/** A folder for the module, and whether Node finds the project's packages from there. */
export interface ModulePlace {
  readonly folder: string
  readonly findsPackages: boolean
}

/**
 * Where a bundle may be written for Node to import it, best first: the cache folder of the nearest `node_modules`,
 * the project folder when there is none or it is read-only, and last the system's temporary folder.
 *
 * @param ownPackage True when the definitions import their own package by name, which Node allows only from outside
 * `node_modules`.
 */
export function modulePlaces(root: string, ownPackage: boolean): ModulePlace[] {
  const packages = nearestPackages(root)
  return [
    ...(packages && !ownPackage
      ? [{ folder: join(packages, '.cache', 'callsheet'), findsPackages: true }]
      : []),
    { folder: root, findsPackages: true },
    { folder: join(tmpdir(), 'callsheet'), findsPackages: false },
  ]
}

function nearestPackages(folder: string): string | undefined {
  const packages = join(folder, 'node_modules')
  if (existsSync(packages)) return packages
  const parent = dirname(folder)
  return parent === folder ? undefined : nearestPackages(parent)
}

/** A module file that has been written and waits to be imported. */
export interface WrittenModule {
  readonly path: string
  /** Imports it and removes the file, whatever comes of it. */
  run(): Promise<Record<string, unknown>>
}

/**
 * Writes code into a module file of its own: a name of its own for each run, so that a repeated load sees new code and
 * processes do not meet.
 *
 * @returns undefined when nothing can be written in that folder.
 */
export function writeModule(folder: string, code: string): WrittenModule | undefined {
  const path = join(folder, `.callsheet-${process.pid}-${randomUUID()}.mjs`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, code)
  } catch (error) {
    if (cannotWrite(error)) return undefined
    throw error
  }
  return {
    path,
    async run() {
      try {
        return (await import(pathToFileURL(path).href)) as Record<string, unknown>
      } finally {
        remove(path, realFileSystem)
      }
    },
  }
}

function cannotWrite(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT'].includes(code ?? '')
}
