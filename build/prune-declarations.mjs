import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Removes the declarations that no entry of the package reaches: nobody can import them, and they are most of what the
 * compiler writes.
 *
 * @param {string} folder Where the compiler wrote.
 * @param {readonly string[]} entries Declaration files that package.json's "exports" name.
 */
export function pruneDeclarations(folder, entries) {
  const reached = reachableFrom(entries)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !reached.has(path)) rmSync(path)
  }
  removeEmptyFolders(folder)
}

function reachableFrom(entries) {
  const reached = new Set()
  const pending = entries.map((path) => join(path))
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)
    for (const [, target] of imports) pending.push(join(dirname(path), `${target}.d.ts`))
  }
  return reached
}

function removeEmptyFolders(folder) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
