import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../paths/is-inside.ts'
import { compilerOptions } from './compiler-options.ts'

/**
 * Lists the files that decide how the imports of sources resolve: for each source, the nearest `package.json` and the nearest
 * `tsconfig.json` with the files that it extends. Absolute paths. Within the root also paths of missing files, which would be
 * nearer if they were created.
 */
export function resolutionFiles(sources: readonly string[], root: string): string[] {
  const found = new Set<string>()
  const realRoot = realpathSync(root)
  for (const folder of new Set(sources.map((source) => dirname(source)))) {
    for (const name of ['package.json', 'tsconfig.json']) {
      for (const file of upToNearest(folder, name, realRoot)) found.add(file)
    }
  }
  const read: string[] = []
  for (const file of found) if (file.endsWith('tsconfig.json')) compilerOptions(file, read)
  return [...new Set([...found, ...read])]
}

/** Lists the paths from a folder upwards at which a file is looked for, up to the first that exists. */
function upToNearest(folder: string, name: string, root: string): string[] {
  const looked: string[] = []
  for (let place = folder; ; place = dirname(place)) {
    const file = join(place, name)
    looked.push(file)
    if (existsSync(file)) return looked
    if (place === dirname(place)) return looked.filter((each) => isInside(each, root))
  }
}
