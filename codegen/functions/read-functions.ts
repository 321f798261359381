import { realpathSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { ts } from 'ts-morph'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { exportsNothing } from '../findings/exports-nothing.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { NamedTypes } from './named-types.ts'
import { Problems } from './problems.ts'
import { compile, configFault } from './program.ts'
import { readFunction } from './read-function.ts'
import { reexportedFiles, unresolvedReexports } from './reexports.ts'
import { exportNames, type TaggedFunction, taggedFunctions } from './tagged-functions.ts'
import { isPlatformFile } from './type-kind.ts'
import { TypeReader } from './type-reader.ts'

/** The Tools that the function files of a project declare. */
export interface ReadFunctions {
  readonly definitions: LoadedDefinition[]
  readonly findings: Finding[]
  /** Absolute paths of the input files, without packages. */
  readonly inputs: string[]
  /** Absolute paths of the files of packages that types come from. */
  readonly packageFiles: string[]
}

export interface FunctionsOptions {
  readonly root: string
  /** Relative to the root. */
  readonly files: readonly string[]
  /** Those of them that declare nothing else, so that a file without a function is an error. */
  readonly onlyFunctions?: readonly string[]
  /** Names of other shared schemas. */
  readonly taken: readonly string[]
}

/**
 * Reads functions with the tag `@tool` as Tools (TOOL-5). First without the platform's types, which is fast. Only if that
 * leaves unknown types, everything is compiled, and the problems of that pass are reported.
 */
export function readFunctions(options: FunctionsOptions): ReadFunctions {
  const given = { ...options, root: realpathSync(options.root) }
  const fault = configFault(given.root)
  if (fault) {
    return {
      definitions: [],
      findings: [fault],
      inputs: [join(given.root, 'tsconfig.json')],
      packageFiles: [],
    }
  }
  const quick = attempt(given, 'quick')
  if (quick.findings.length === 0 && !quick.hasUnknown) return quick
  return attempt(given, 'whole')
}

function attempt(
  { root, files, onlyFunctions = [], taken }: FunctionsOptions,
  depth: 'quick' | 'whole',
): ReadFunctions & { readonly hasUnknown: boolean } {
  const { program, checker } = compile(root, files, depth)
  const problems = new Problems(root)
  const named = new NamedTypes(checker, taken, root)
  const reader = new TypeReader(checker, problems, named)
  const definitions: LoadedDefinition[] = []
  const sources = files.flatMap((file) => program.getSourceFile(join(root, file)) ?? [])
  const read = new Set<ts.Node>()
  const parsed = new Set<ts.SourceFile>()
  const lost = new Set<ts.Statement>()
  for (const source of sources) {
    // After an error of syntax, functions may be missing that a re-export would pass on.
    const passed = reexportedFiles(source, checker)
    for (const file of passed) {
      if (!parsed.has(file)) reportDiagnostics(program.getSyntacticDiagnostics(file), problems)
      parsed.add(file)
    }
    if (passed.some((file) => program.getSyntacticDiagnostics(file).length > 0)) continue
    const before = problems.findings.length
    const found = taggedFunctions(source, checker, problems, (other) => sources.includes(other))
    // Several files may re-export one function.
    const tagged = found.filter(({ declaration }) => !read.has(declaration))
    for (const each of tagged) {
      read.add(each.declaration)
      definitions.push(readFunction(each, reader, problems))
    }
    const unresolved = unresolvedReexports(source, checker)
    for (const statement of unresolved) lost.add(statement)
    const isQuiet = unresolved.length === 0 && problems.findings.length === before
    const file = problems.shown(source.fileName)
    if (found.length === 0 && isQuiet && onlyFunctions.includes(file)) {
      const exported = exportNames(source, checker)
      const passesOn = [...exported.keys()].some((each) => isOtherOf(sources, each.getSourceFile(), source))
      if (!passesOn) problems.findings.push(exportsNothing(file, [...exported.values()], true))
    }
    if (depth === 'quick') continue
    for (const each of new Set([source, ...tagged.map(({ node }) => node.getSourceFile())])) {
      reportDiagnostics(relevantDiagnostics(program, each, tagged, each === source), problems)
    }
  }
  if (depth === 'whole') reportDiagnostics(lostIn(program, lost, sources), problems)
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
    ...filesOf(program),
    hasUnknown: reader.hasUnknown || lost.size > 0,
  }
}

/** Whether a file is another definition file, which has its own functions. */
function isOtherOf(definitions: readonly ts.SourceFile[], file: ts.SourceFile, own: ts.SourceFile): boolean {
  return file !== own && definitions.includes(file)
}

/**
 * Returns the compiler's diagnostics, except those in the bodies of functions that are no Tools, and outside of functions in a file
 * that is no definition file.
 */
function relevantDiagnostics(
  program: ts.Program,
  source: ts.SourceFile,
  tagged: readonly TaggedFunction[],
  isDefinition: boolean,
): readonly ts.Diagnostic[] {
  const own = tagged
    .filter(({ node }) => node.getSourceFile() === source)
    .map(({ node }) => [node.getFullStart(), node.getEnd()] as const)
  return program.getSemanticDiagnostics(source).filter(({ start = 0 }) => {
    const statement = source.statements.find((each) => each.pos <= start && start < each.end)
    const isPlain =
      isDefinition &&
      statement !== undefined &&
      !ts.isFunctionDeclaration(statement) &&
      !ts.isClassDeclaration(statement)
    return isPlain || own.some(([from, to]) => from <= start && start < to)
  })
}

/** Returns why statements in files that are no definition files pass on nothing. The others are reported with their files. */
function lostIn(
  program: ts.Program,
  statements: ReadonlySet<ts.Statement>,
  reported: readonly ts.SourceFile[],
): ts.Diagnostic[] {
  return [...statements].flatMap((statement) => {
    const source = statement.getSourceFile()
    if (reported.includes(source)) return []
    return program
      .getSemanticDiagnostics(source)
      .filter(({ start = 0 }) => statement.pos <= start && start < statement.end)
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

function filesOf(program: ts.Program): Pick<ReadFunctions, 'inputs' | 'packageFiles'> {
  const paths = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((path) => !isPlatformFile(path))
  const isOfPackage = (path: string): boolean => path.includes('/node_modules/')
  // The compiler uses forward slashes on every system; the watcher needs the system's separators.
  return {
    inputs: paths
      .filter((path) => !isOfPackage(path))
      .map(normalize)
      .sort(byCodeUnit),
    packageFiles: paths.filter(isOfPackage).map(normalize).sort(byCodeUnit),
  }
}
