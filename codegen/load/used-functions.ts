import type { Metafile } from 'esbuild'
import { portablePath } from '../paths/portable-path.ts'
import { entryName } from './bundle.ts'
import type { OnlyReexports } from './function-files.ts'

/**
 * Returns the spared files of functions that a definition uses after all, as absolute paths. The others are only re-exported,
 * and so are the files that re-export them.
 *
 * @param inputs The bundle's inputs; a spared file has the prefix `functions:`.
 */
export function usedFunctions(
  { root, spared }: { readonly root: string; readonly spared: ReadonlySet<string> },
  inputs: Metafile['inputs'],
  onlyReexports: OnlyReexports,
): string[] {
  if (spared.size === 0) return []
  const importers = new Map<string, string[]>()
  const used = new Set<string>()
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (file === entryName) continue
    for (const { path, kind } of imports) {
      const imported = path.startsWith(prefix) ? portablePath(root, path.slice(prefix.length)) : path
      if (kind !== 'import-statement' || !onlyReexports(file, imported)) used.add(imported)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  const isUsed = (file: string): boolean => {
    const above = new Set([file])
    for (const each of above) for (const importer of importers.get(each) ?? []) above.add(importer)
    return [...above].some((each) => used.has(each))
  }
  return [...spared].filter((path) => isUsed(portablePath(root, path)))
}

const prefix = 'functions:'
