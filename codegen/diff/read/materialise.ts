import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { realFileSystem, remove } from '../../write/file-system.ts'
import type { FileTree } from './file-tree.ts'

/** What definitions are made of. */
const sources = /\.(?:[cm]?[jt]sx?|json|jsonc)$/

/**
 * Writes the sources of an earlier state into the cache of the installed packages, for definitions that have to be run,
 * and removes them again. The project's own files stay untouched; packages are those that are installed now.
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
      // Git forbids such names; whoever made this tree may not be git.
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
