import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Project, ts } from 'ts-morph'

/** A compiled project: what the reader of functions asks about types. */
export interface Program {
  readonly checker: ts.TypeChecker
  readonly program: ts.Program
}

/** The platform's types that signatures may name, where the platform's own libraries are left out. */
const platform = `
interface AbortSignal { readonly aborted: boolean; readonly reason: unknown; throwIfAborted(): void }
`

/**
 * Compiles function files.
 *
 * @param depth `quick` leaves out the types of the platform (DOM, Node), which cost more than everything else
 * together and which signatures hardly ever need; `whole` takes them as the project's `tsconfig.json` says.
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
  // The compiler inside ts-morph takes in no `@types` unless told; most projects' own compiler takes in all.
  const { types } = project.compilerOptions.get()
  if (types === undefined) project.compilerOptions.set({ types: ['*'] })
  if (depth === 'quick') project.createSourceFile(join(root, 'callsheet-platform.d.ts'), platform)
  for (const file of files) project.addSourceFileAtPath(join(root, file))
  const program = project.getProgram().compilerObject
  return { program, checker: program.getTypeChecker() }
}

/** What a signature means must not hang on how strict a project is. */
const forced: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: false,
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
  composite: false,
  incremental: false,
  // What a project's own compile complains about beyond types is not this one's business.
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
