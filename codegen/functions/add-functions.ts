import { GeneratorError } from '../generator-error.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { systemCode } from '../write/file-system.ts'
import type { FunctionsOptions, ReadFunctions } from './read-functions.ts'

/** The loaded definitions, and the files whose functions still have to be read. */
export interface WithoutFunctions {
  readonly definitions: readonly LoadedDefinition[]
  readonly findings: readonly Finding[]
  readonly inputs: readonly string[]
  /** Those of them that were run. */
  readonly ran: readonly string[]
  readonly packages: readonly string[]
  readonly functionFiles: readonly string[]
  /** Those of them that declare nothing else. */
  readonly onlyFunctions: readonly string[]
}

/** The loaded definitions, functions included. */
export interface WithFunctions extends Omit<WithoutFunctions, 'functionFiles' | 'onlyFunctions'> {
  /** Absolute paths of the files of packages that the types of functions come from. */
  readonly packageFiles: readonly string[]
}

/**
 * Adds the Tools that are declared as functions (TOOL-5). The reader and its compiler are loaded only
 * if there are any.
 *
 * @throws GeneratorError `cannot_read` when ts-morph is not installed.
 */
export async function addFunctions(loaded: WithoutFunctions, root: string): Promise<WithFunctions> {
  const { functionFiles: files, onlyFunctions, ...rest } = loaded
  // Already reported. Reading functions would report it again.
  const isConfigBroken = loaded.findings.some(({ at }) => at?.file === 'tsconfig.json')
  if (files.length === 0 || isConfigBroken) return { ...rest, packageFiles: [] }
  const taken = loaded.definitions.filter(({ kind }) => kind === 'shared').map(({ name }) => name)
  const read = await readWithCompiler({ root, files, onlyFunctions, taken })
  return {
    definitions: [...rest.definitions, ...read.definitions],
    findings: [...rest.findings, ...read.findings],
    inputs: [...new Set([...rest.inputs, ...read.inputs])].sort(),
    ran: rest.ran,
    packages: rest.packages,
    packageFiles: read.packageFiles,
  }
}

async function readWithCompiler(options: FunctionsOptions): Promise<ReadFunctions> {
  try {
    const { readFunctions } = await import('./read-functions.ts')
    return readFunctions(options)
  } catch (error) {
    if (!isMissingCompiler(error)) throw error
    const fault = {
      message: `Functions are declared as Tools in ${options.files.join(', ')}, and ts-morph, which reads them, is not installed.`,
      fix: 'Install it: npm install --save-dev ts-morph',
    }
    throw new GeneratorError('cannot_read', [fault], error)
  }
}

/** Whether an import failed because ts-morph is not installed. */
export function isMissingCompiler(error: unknown): boolean {
  return (
    systemCode(error) === 'ERR_MODULE_NOT_FOUND' &&
    error instanceof Error &&
    error.message.includes('ts-morph')
  )
}
