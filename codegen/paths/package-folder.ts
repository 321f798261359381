import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the folder in which Callsheet itself is installed: the one with its `package.json`. */
export function packageFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url))
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder))
      throw new Error(`No package.json above ${here}: callsheet is not installed whole.`)
  }
}
