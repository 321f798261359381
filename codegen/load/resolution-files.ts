import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../paths/is-inside.ts'
import { compilerOptions } from './compiler-options.ts'

/**
 * The files that decide what the imports of sources lead to: for each source the nearest `package.json` and the nearest
 * `tsconfig.json`, with what that extends. Absolute paths, and within the root also of files that do not exist: one that
 * comes to be there is nearer.
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

/** The places from a folder upwards where a file was looked for, to the first that has it. */
function upToNearest(folder: string, name: string, root: string): string[] {
  const looked: string[] = []
  for (let place = folder; ; place = dirname(place)) {
    const file = join(place, name)
    looked.push(file)
    if (existsSync(file)) return looked
    if (place === dirname(place)) return looked.filter((each) => isInside(each, root))
  }
}
