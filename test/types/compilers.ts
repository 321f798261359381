import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkBySpawn } from './check-by-spawn.ts'
import { checkInProcess } from './check-in-process.ts'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** The compilers that generated code and declarations must check under, by the names of their packages here. */
export const compilers = { '5.9': 'typescript-5.9', '6.0': 'typescript-6.0', '7.0': 'typescript' } as const

export type CompilerVersion = keyof typeof compilers

/** Whether to try everything under every compiler, as CI does. */
export const allCompilers: boolean = process.env.CALLSHEET_ALL_COMPILERS === '1'

/** For what takes the older compilers long: in `npm test`, which people wait for, the newest; in CI all of them. */
export const compilersToTry: readonly CompilerVersion[] = allCompilers ? ['5.9', '6.0', '7.0'] : ['7.0']

export interface Diagnostic {
  /** Path in the folder of the program; empty for what concerns no file of it. */
  readonly file: string
  readonly line: number
  readonly code: string
  /** The whole message, with what stands indented below it. */
  readonly message: string
}

const strictest = {
  target: 'es2023',
  lib: ['es2023', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  // What TypeScript brings along takes the older compilers seconds; what Callsheet brings is checked.
  skipDefaultLibCheck: true,
  skipLibCheck: false,
}

/**
 * Type-checks sources in a folder inside the project, so that `callsheet` is the built package. The older compilers run
 * in this process, where they read their libraries once for all programs; TypeScript 7 is a command.
 *
 * @param files Source text by path.
 */
export function typeCheck(
  version: CompilerVersion,
  files: Readonly<Record<string, string>>,
  options: object = {},
): readonly Diagnostic[] {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/types-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const config = { compilerOptions: { ...strictest, ...options }, files: Object.keys(files) }
    return version === '7.0'
      ? checkBySpawn(folder, config)
      : checkInProcess(compilers[version], folder, config)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
