import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Finding } from '../model.ts'
import { evaluateFiles } from './evaluate-files.ts'
import { keepIntrinsics } from './keep-intrinsics.ts'
import { definitionLimit } from './within-limit.ts'

export interface ImportedModule {
  /** undefined if the file could not be run; the findings contain the reason. */
  readonly exports: Record<string, unknown> | undefined
  readonly findings: Finding[]
  /** Absolute paths of all files that were read, except those of packages. */
  readonly inputs: string[]
  /** The import specifiers of packages and Node modules, as written. */
  readonly packages: string[]
}

/**
 * Runs one TypeScript or JavaScript file, such as `callsheet.config.ts`, and returns its exports. It is read again each time.
 *
 * @param options.file Relative to the root.
 */
export async function importModule({ root, file }: { root: string; file: string }): Promise<ImportedModule> {
  const realRoot = realpathSync(root)
  const { exports, findings, sources, packages } = await evaluateFiles(
    realRoot,
    [file],
    definitionLimit,
    keepIntrinsics(),
  )
  return {
    exports: exports.get(file),
    findings,
    inputs: [...sources.keys()].map((name) => join(realRoot, name)).sort(byCodeUnit),
    packages: [...packages].sort(byCodeUnit),
  }
}
