import { CallsheetError } from '../../errors.ts'

/** The Node modules that reading and writing Ideas needs. */
export interface NodeFiles {
  readonly fs: typeof import('node:fs/promises')
  readonly path: typeof import('node:path')
  readonly url: typeof import('node:url')
}

/**
 * Gets Node's modules without an import: a bundler for browsers or workers fails on such an import even if the code is
 * never reached. Works in Node, Deno, Bun and workers with Node compatibility.
 *
 * @throws CallsheetError `invalid_options` if there is no file system.
 */
export function nodeFiles(path: string | URL): NodeFiles {
  const get: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule
  if (!get) {
    throw new CallsheetError(
      'invalid_options',
      `${path} cannot be read or written: there is no file system here. Load the JSON yourself and pass it to new Idea() or new Vessel(), or use { ideas: { load } }.`,
    )
  }
  return { fs: get('node:fs/promises'), path: get('node:path'), url: get('node:url') }
}
