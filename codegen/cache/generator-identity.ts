import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { packageFolder } from '../paths/package-folder.ts'

/**
 * Identifies the generator's own code by its version and the sizes and times of its files, so that an update of the
 * package, or a change of the generator's code, invalidates cached results.
 */
export function generatorIdentity(): string {
  const home = packageFolder()
  const code = ['dist', 'codegen', 'runtime']
    .map((name) => join(home, name))
    .filter((folder) => existsSync(folder))
  const hash = createHash('sha256').update(readFileSync(join(home, 'package.json')))
  for (const line of code.flatMap(fileLines).sort(byCodeUnit)) hash.update(line)
  return hash.digest('base64url').slice(0, 22)
}

function fileLines(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return fileLines(path)
    if (!/\.[cm]?[jt]s$/.test(entry.name) || entry.name.endsWith('.d.ts')) return []
    const { size, mtimeMs } = statSync(path)
    return [`${path} ${size} ${mtimeMs}\n`]
  })
}
