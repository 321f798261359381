import { realpathSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { ts } from 'ts-morph'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { NamedTypes } from './named-types.ts'
import { Problems } from './problems.ts'
import { compile } from './program.ts'
import { readFunction } from './read-function.ts'
import { type TaggedFunction, taggedFunctions } from './tagged-functions.ts'
import { isPlatformFile } from './type-kind.ts'
import { TypeReader } from './type-reader.ts'

/** The Tools that the function files of a project declare. */
export interface ReadFunctions {
  readonly definitions: LoadedDefinition[]
  readonly findings: Finding[]
  /** Absolute paths of the input files, without packages. */
  readonly inputs: string[]
}

export interface FunctionsOptions {
  readonly root: string
  /** Relative to the root. */
  readonly files: readonly string[]
  /** Names of other shared schemas. */
  readonly taken: readonly string[]
}

/**
 * Reads functions with the tag `@tool` as Tools (TOOL-5). First without the platform's types, which is fast. Only if that
 * leaves unknown types, everything is compiled, and the problems of that pass are reported.
 */
export function readFunctions(options: FunctionsOptions): ReadFunctions {
  const given = { ...options, root: realpathSync(options.root) }
  const quick = attempt(given, 'quick')
  if (quick.findings.length === 0 && !quick.hasUnknown) return quick
  return attempt(given, 'whole')
}

function attempt(
  { root, files, taken }: FunctionsOptions,
  depth: 'quick' | 'whole',
): ReadFunctions & { readonly hasUnknown: boolean } {
  const { program, checker } = compile(root, files, depth)
  const problems = new Problems(root)
  const named = new NamedTypes(checker, taken, root)
  const reader = new TypeReader(checker, problems, named)
  const definitions: LoadedDefinition[] = []
  for (const file of files) {
    const source = program.getSourceFile(join(root, file))
    if (!source) continue
    const syntax = program.getSyntacticDiagnostics(source)
    reportDiagnostics(syntax, problems)
    if (syntax.length > 0) continue
    const tagged = taggedFunctions(source, checker, problems)
    definitions.push(...tagged.map((each) => readFunction(each, reader, problems)))
    if (depth === 'whole') reportDiagnostics(relevantDiagnostics(program, source, tagged), problems)
  }
  const shared = named.all().map(
    ({ name, schema, declaration }): LoadedDefinition => ({
      kind: 'shared',
      name,
      value: schema,
      at: problems.at(declaration),
    }),
  )
  return {
    definitions: [...definitions, ...shared],
    findings: problems.findings,
    inputs: ownFiles(program),
    hasUnknown: reader.hasUnknown,
  }
}

/** Returns the compiler's diagnostics, except those in the bodies of functions that are no Tools. */
function relevantDiagnostics(
  program: ts.Program,
  source: ts.SourceFile,
  tagged: readonly TaggedFunction[],
): readonly ts.Diagnostic[] {
  const own = tagged.map(({ node }) => [node.getFullStart(), node.getEnd()] as const)
  return program.getSemanticDiagnostics(source).filter(({ start = 0 }) => {
    const statement = source.statements.find((each) => each.pos <= start && start < each.end)
    const isPlain =
      statement !== undefined && !ts.isFunctionDeclaration(statement) && !ts.isClassDeclaration(statement)
    return isPlain || own.some(([from, to]) => from <= start && start < to)
  })
}

function reportDiagnostics(diagnostics: readonly ts.Diagnostic[], problems: Problems): void {
  for (const { file, start = 0, messageText, code } of diagnostics) {
    if (!file) continue
    const text = ts.flattenDiagnosticMessageText(messageText, ' ')
    problems.addAt(
      'function-diagnostic',
      problems.position(file, start),
      `TypeScript cannot make sense of it: ${text} (TS${code})`,
      'Correct it, so that the file compiles.',
    )
  }
}

function ownFiles(program: ts.Program): string[] {
  return (
    program
      .getSourceFiles()
      .map(({ fileName }) => fileName)
      .filter((path) => !path.includes('/node_modules/') && !isPlatformFile(path))
      // The compiler uses forward slashes on every system; the watcher needs the system's separators.
      .map((path) => normalize(path))
      .sort(byCodeUnit)
  )
}
