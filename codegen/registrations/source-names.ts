const sourceFile = /\.[cm]?[jt]sx?$/
const notSource = /\.d\.[cm]?ts$|\.(?:test|spec|bench|stories)\.[cm]?[jt]sx?$/

/** Folders that do not belong to the running project. */
const notSources = new Set(['node_modules', 'test', 'tests', '__tests__', '__mocks__', '__fixtures__'])

/**
 * Whether a file of this name may contain registrations. Hidden files are left out: while a command runs, the project contains a bundle of
 * its Activities, `.callsheet-….mjs`.
 */
export function isSourceName(name: string): boolean {
  return sourceFile.test(name) && !notSource.test(name) && !name.startsWith('.')
}

/** Whether a file of this name is a component that has scripts in it, which are not parsed. */
export function isComponentName(name: string): boolean {
  return /\.(?:vue|svelte|astro)$/.test(name) && !name.startsWith('.')
}

/** Whether a folder of this name may contain files that the project runs. */
export function mayHoldSources(name: string): boolean {
  return !notSources.has(name) && !name.startsWith('.')
}
