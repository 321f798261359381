import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { realFileSystem, remove } from '../../write/file-system.ts'
import type { FileTree } from './file-tree.ts'

/** Files that definitions can consist of. */
const sources = /\.(?:[cm]?[jt]sx?|json|jsonc)$/

/**
 * Writes the sources of an earlier state into a cache folder in `node_modules`, so that its definitions can be run, and
 * removes them afterwards. Does not touch the project's own files. Imports resolve to the currently installed packages.
 */
export async function withFiles<Result>(
  tree: FileTree,
  root: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(packagesAbove(root), '.cache', 'callsheet', `against-${process.pid}-${randomUUID()}`)
  try {
    const texts = await tree.read(tree.paths.filter((path) => sources.test(path)))
    for (const [path, text] of texts) {
      const file = resolve(folder, path)
      // Protects against paths that leave the folder. Git forbids them, but other trees may contain them.
      if (!file.startsWith(folder + sep)) continue
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    mkdirSync(folder, { recursive: true })
    return await use(folder)
  } finally {
    remove(folder, realFileSystem)
  }
}

function packagesAbove(folder: string): string {
  const packages = join(folder, 'node_modules')
  const parent = dirname(folder)
  return existsSync(packages) || parent === folder ? packages : packagesAbove(parent)
}
