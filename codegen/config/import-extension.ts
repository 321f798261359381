import { join } from 'node:path'
import { compilerOptions } from '../load/compiler-options.ts'
import type { Settings } from './settings.ts'

/** An extension, with the files that decided it, existing or not. They are inputs of the run. */
export interface FoundExtension {
  readonly importExtension: Settings['importExtension']
  readonly read: readonly string[]
}

/** Finds the extension of a project's relative imports from its `tsconfig.json` and the files that it extends. */
export function findImportExtension(root: string): FoundExtension {
  const read: string[] = []
  const options = compilerOptions(join(root, 'tsconfig.json'), read)
  const allowsTs =
    options.allowImportingTsExtensions === true || options.rewriteRelativeImportExtensions === true
  const resolution =
    typeof options.moduleResolution === 'string' ? options.moduleResolution.toLowerCase() : undefined
  return { importExtension: allowsTs ? '.ts' : resolution === 'bundler' ? '' : '.js', read }
}
