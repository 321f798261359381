import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Project, ts } from 'ts-morph'
import type { Finding } from '../model.ts'

/** A compiled project, from which types are read. */
export interface Program {
  readonly checker: ts.TypeChecker
  readonly program: ts.Program
}

/** Returns why a project's `tsconfig.json` cannot be read; undefined if it can, or does not exist. */
export function configFault(root: string): Finding | undefined {
  const path = join(root, 'tsconfig.json')
  const text = ts.sys.readFile(path)
  const { error } = text === undefined ? {} : ts.parseConfigFileTextToJson(path, text)
  if (error === undefined) return undefined
  const before = text?.slice(0, error.start ?? 0) ?? ''
  const column = before.length - before.lastIndexOf('\n')
  return {
    rule: 'unreadable-file',
    severity: 'error',
    message: `tsconfig.json cannot be read: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`,
    fix: 'Correct the file.',
    at: { file: 'tsconfig.json', line: before.split('\n').length, column },
  }
}

/** Stubs of platform types for signatures, used if the platform's libraries are not loaded. */
const platform = `
interface AbortSignal { readonly aborted: boolean; readonly reason: unknown; throwIfAborted(): void }
`

/**
 * Compiles function files.
 *
 * @param depth `quick` omits the platform's types (DOM, Node), which take longer than everything else together and are
 * rarely needed in signatures; `whole` loads them as the project's `tsconfig.json` specifies.
 */
export function compile(root: string, files: readonly string[], depth: 'quick' | 'whole'): Program {
  const tsconfig = join(root, 'tsconfig.json')
  const project = new Project({
    ...(existsSync(tsconfig) ? { tsConfigFilePath: tsconfig } : {}),
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    compilerOptions: {
      ...forced,
      ...(depth === 'quick' ? { lib: ['lib.es2023.d.ts'], types: [] } : {}),
      ...(existsSync(tsconfig) ? {} : withoutConfig),
    },
  })
  // The compiler inside ts-morph loads no `@types` by default; most projects' own compiler loads all.
  const { types } = project.compilerOptions.get()
  if (types === undefined) project.compilerOptions.set({ types: ['*'] })
  if (depth === 'quick') project.createSourceFile(join(root, 'callsheet-platform.d.ts'), platform)
  for (const file of files) project.addSourceFileAtPath(join(root, file))
  const program = project.getProgram().compilerObject
  return { program, checker: program.getTypeChecker() }
}

/** Options that must not depend on the project, so that signatures are read the same way everywhere. */
const forced: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: false,
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
  composite: false,
  incremental: false,
  // Ignore lint-like errors of the project's own compilation.
  noUnusedLocals: false,
  noUnusedParameters: false,
  noImplicitReturns: false,
  noPropertyAccessFromIndexSignature: false,
  isolatedDeclarations: false,
  erasableSyntaxOnly: false,
  allowImportingTsExtensions: true,
  ignoreDeprecations: '6.0',
}

const withoutConfig: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
}
