import { CallsheetError } from '../../errors.ts'

/** The modules of Node that files of Ideas need. */
export interface NodeFiles {
  readonly fs: typeof import('node:fs/promises')
  readonly path: typeof import('node:path')
  readonly url: typeof import('node:url')
}

/**
 * Gets Node's own modules without an import: a bundler for browsers or workers would fail on one, whether or not it is
 * ever reached. Node, Deno, Bun and workers with Node's compatibility have this.
 *
 * @throws CallsheetError `invalid_options` where there is no file system.
 */
export function nodeFiles(path: string | URL): NodeFiles {
  const get: typeof process.getBuiltinModule | undefined = globalThis.process?.getBuiltinModule
  if (!get) {
    throw new CallsheetError(
      'invalid_options',
      `${path} cannot be read or written: there is no file system here. Load the JSON by other means, and pass it to new Idea() or new Vessel(), or give { ideas: { load } }.`,
    )
  }
  return { fs: get('node:fs/promises'), path: get('node:path'), url: get('node:url') }
}
