import { fileURLToPath } from 'node:url'

/** The options of a careful user's compiler, with this repository's sources as the package. */
export const strictOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  paths: { 'callsheet/*': [fileURLToPath(new URL('../../../../runtime/*.ts', import.meta.url))] },
}
