import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { byCodeUnit } from '../../../runtime/json/json.ts'
import type { FileTree } from './file-tree.ts'

/** Returns the files of a folder, without `node_modules` and hidden folders. */
export function folderTree(folder: string, name: string): FileTree {
  return {
    name,
    paths: filesBelow(folder, '').sort(byCodeUnit),
    read: async (paths) => new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
  }
}

function filesBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry: Dirent) => {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isFile()) return [path]
    const isLeftOut = !entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')
    return isLeftOut ? [] : filesBelow(join(folder, entry.name), path)
  })
}
