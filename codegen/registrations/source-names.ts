const sourceFile = /\.[cm]?[jt]sx?$/
const notSource = /\.d\.[cm]?ts$|\.(?:test|spec|bench|stories)\.[cm]?[jt]sx?$/

/** Folders whose files are no part of what the project runs. */
const notSources = new Set(['node_modules', 'test', 'tests', '__tests__', '__mocks__', '__fixtures__'])

/** True for the name of a file that may hold registrations. */
export function isSourceName(name: string): boolean {
  return sourceFile.test(name) && !notSource.test(name)
}

/** False for the name of a folder whose files are never part of what the project runs. */
export function mayHoldSources(name: string): boolean {
  return !notSources.has(name) && !name.startsWith('.')
}
