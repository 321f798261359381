import { join } from 'node:path'
import { compilerOptions } from '../load/compiler-options.ts'
import type { Settings } from './settings.ts'

/** An extension and the files that it was read from (or looked for in): they are inputs of the run. */
export interface FoundExtension {
  readonly importExtension: Settings['importExtension']
  readonly read: readonly string[]
}

/** The extension that a project's relative imports carry, by its `tsconfig.json` and what that extends. */
export function findImportExtension(root: string): FoundExtension {
  const read: string[] = []
  const options = compilerOptions(join(root, 'tsconfig.json'), read)
  const allowsTs =
    options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true
  const resolution =
    typeof options.moduleResolution === 'string' ? options.moduleResolution.toLowerCase() : undefined
  return { importExtension: allowsTs ? '.ts' : resolution === 'bundler' ? '' : '.js', read }
}
