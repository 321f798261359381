import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import type { Location, Message } from 'esbuild'
import { messageOf } from '../../runtime/problems/message-of.ts'
import { GeneratorError } from '../generator-error.ts'
import type { Finding, SourcePosition } from '../model.ts'
import { type Bundle, brokenImport, bundle, entryFileAt, entryName, sameButForCase } from './bundle.ts'
import type { FunctionFiles, OnlyReexports } from './function-files.ts'
import { modulePlaces, type WrittenModule, writeModule, writeTemporaryModule } from './import-code.ts'
import { importCycle } from './import-cycle.ts'
import { withOwnImportMeta } from './import-meta.ts'
import { linkProblem } from './link-problem.ts'
import { isLinkedPackage } from './linked-packages.ts'
import { ownPackageName } from './own-package-name.ts'
import { sourcesFor } from './resolve-specifier.ts'
import { whileRunning } from './running-file.ts'
import { SourceText } from './source-text.ts'
import { thrownAt } from './thrown-at.ts'
import { isThrown, thrownText } from './thrown-text.ts'
import { usedFunctions } from './used-functions.ts'
import { definitionLimit, withinLimit } from './within-limit.ts'

/** The result of running definition files. All paths are relative to the root. */
export interface Evaluation {
  /** The exports of each file that ran. */
  readonly exports: Map<string, Record<string, unknown>>
  readonly findings: Finding[]
  /** Every file that was read, except those of packages. */
  readonly sources: Map<string, SourceText>
  /** The files that each file imports. */
  readonly imports: Map<string, readonly string[]>
  /** The import specifiers of packages and Node modules, as written. */
  readonly packages: Set<string>
  /** Files that imports could mean that mean nothing yet. */
  readonly missing: Set<string>
}

/** A run in progress: its findings, and the files to exclude or rewrite in the next round. */
interface Run extends Evaluation {
  readonly root: string
  /** Milliseconds that one file may take. */
  readonly limit: number
  readonly afterEach: () => void
  /** Absolute paths of files with a problem that has been reported. */
  readonly broken: Set<string>
  /** Texts that replace the contents of files, by absolute path. */
  readonly rewritten: Map<string, string>
  /** Absolute paths of files of functions that need not run: they are only re-exported. */
  readonly spared: Set<string>
  /** True if a package is linked. The first round leaves all packages to Node, which is faster. */
  hasLinked: boolean
}

type FileImports = readonly (() => Promise<Record<string, unknown>>)[]

/**
 * Runs definition files and returns their exports. A file that does not parse, throws, or imports something that does not exist
 * is reported, and affects only the files that import it.
 *
 * @param limit Milliseconds that one file may take.
 * @param afterEach Called after each file has run, before its exports are read.
 * @param functions Files of functions, which are read elsewhere and run only if something uses them here.
 */
export async function evaluateFiles(
  root: string,
  files: readonly string[],
  limit: number = definitionLimit,
  afterEach: () => void = () => {},
  functions: Pick<FunctionFiles, 'reexported' | 'onlyReexports'> = noFunctions,
): Promise<Evaluation> {
  const run: Run = {
    root,
    limit,
    afterEach,
    exports: new Map(),
    findings: [],
    sources: new Map(),
    imports: new Map(),
    packages: new Set(),
    missing: new Set(),
    broken: new Set(),
    rewritten: new Map(),
    spared: new Set([...functions.reexported].map((file) => join(root, file))),
    hasLinked: false,
  }
  // Each round but one finishes, or excludes, rewrites or no longer spares at least one more file, so there are at most
  // three times as many rounds as files.
  while (await needsAnotherRound(run, files, functions.onlyReexports));
  return run
}

const noFunctions = { reexported: new Set<string>(), onlyReexports: () => false }

async function needsAnotherRound(
  run: Run,
  all: readonly string[],
  onlyReexports: OnlyReexports,
): Promise<boolean> {
  const files = all.filter((file) => !run.broken.has(join(run.root, file)))
  if (files.length === 0) return false
  const { broken, rewritten } = { broken: run.broken.size, rewritten: run.rewritten.size }
  const { hasLinked } = run
  const built = await bundle({ ...run, files, packages: hasLinked ? 'linked' : 'external' })
  if ('code' in built) {
    remember(run, built)
    const used = usedFunctions(run, built.inputs, onlyReexports)
    for (const path of used) run.spared.delete(path)
    run.hasLinked ||= [...run.packages].some((name) => isLinkedPackage(name, run.root))
    if (used.length > 0 || run.rewritten.size > rewritten || run.hasLinked !== hasLinked) return true
    await execute(run, files, built)
  } else reportUnreadable(run, files, built)
  return run.broken.size > broken
}

function reportUnreadable(run: Run, files: readonly string[], messages: readonly Message[]): void {
  for (const { id, text, location } of messages) {
    const at = location && placeOf(location, files)
    if (at) {
      run.broken.add(join(run.root, at.file))
      sourceOf(run, at.file)
      for (const file of missingFiles(text, at.file)) run.missing.add(file)
    }
    run.findings.push({
      rule: 'unreadable-file',
      severity: 'error',
      ...(id === sameButForCase
        ? misnamed(text)
        : { message: `${text}.`, fix: 'Correct the file, so that it compiles.' }),
      ...(at && { at }),
    })
  }
}

/** Lists the files by which an import could be mended that esbuild does not resolve; none for any other message. */
function missingFiles(text: string, file: string): string[] {
  const path = /^Could not resolve "(\.{1,2}\/[^"]*)"$/.exec(text)?.[1]
  return path === undefined ? [] : sourcesFor(posix.join(posix.dirname(file), path))
}

/** Returns the file that a message of esbuild is about. A line of the bundle's entry stands for the file that it imports. */
function placeOf({ file, line, column }: Location, files: readonly string[]): SourcePosition {
  const entered = file === entryName ? entryFileAt(line, files) : undefined
  return entered === undefined ? { file, line, column: column + 1 } : { file: entered, line: 1, column: 1 }
}

function misnamed(text: string): { readonly message: string; readonly fix: string } {
  const [one, other] = [...text.matchAll(/"([^"]+)"/g)].map(([, name]) => name).sort()
  return {
    message: `${one} and ${other} differ in case alone: where the disk takes no notice of case they are one file.`,
    fix: 'Rename one of them; where there is only one file, import it under exactly its name.',
  }
}

/** Records the bundle's inputs, and which files must be rewritten before it can run. */
function remember(run: Run, { inputs }: Bundle): void {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (file === entryName || /^(?:broken|functions):/.test(file) || isInPackage(file)) continue
    const rewritten = withOwnImportMeta(sourceOf(run, file))
    if (rewritten !== undefined) run.rewritten.set(join(run.root, file), rewritten)
    const own = imports.filter(({ external }) => !external)
    run.imports.set(
      file,
      own.map(({ path }) => path),
    )
    for (const { path, external } of imports) if (external) run.packages.add(path)
  }
}

function sourceOf(run: Run, file: string): SourceText {
  const source = run.sources.get(file) ?? new SourceText(run.root, file)
  run.sources.set(file, source)
  return source
}

function isInPackage(file: string): boolean {
  return file.split('/').includes('node_modules')
}

/** Runs the files one after the other, in one module instance. */
async function execute(run: Run, files: readonly string[], built: Bundle): Promise<void> {
  const { module, sourceMap } = await write(run, files, built)
  let imports: FileImports
  try {
    // Safe cast: `bundle` wrote the entry, which has this shape.
    // Packages run their top-level code here.
    const bundled = await whileRunning(`What ${files.join(', ')} import`, () =>
      module.run().finally(run.afterEach),
    )
    imports = bundled.files as FileImports
  } catch (error) {
    const { files: culprits, ...problem } = linkProblem(error, run.sources.values(), built.inputs)
    for (const file of culprits) run.broken.add(join(run.root, file))
    run.findings.push({ rule: 'missing-import', severity: 'error', ...problem })
    return
  }
  const reported = new Set<unknown>()
  for (const [index, importFile] of imports.entries()) {
    const file = files[index] ?? ''
    try {
      const ended = await whileRunning(file, () =>
        withinLimit(importFile(), run.limit).finally(run.afterEach),
      )
      if (ended === 'did not end') run.findings.push(endless(file, run.limit))
      else run.exports.set(file, ended.result)
    } catch (error) {
      // A helper that throws does so for each file that imports it, with the same error.
      if (isBrokenImport(error) || reported.has(error)) continue
      reported.add(error)
      run.findings.push(thrown(run, file, error, thrownAt(error, module.path, sourceMap)))
    }
  }
}

/** Writes the bundle to a folder where it can run. If Node does not find the packages from there, they are bundled too. */
async function write(
  run: Run,
  files: readonly string[],
  built: Bundle,
): Promise<{ module: WrittenModule; sourceMap: string }> {
  const places = modulePlaces(run.root, importsItself(run))
  for (const { folder, findsPackages } of places) {
    const chosen = findsPackages ? built : await bundle({ ...run, files, packages: 'bundle' })
    if (!('code' in chosen)) continue
    const { code, sourceMap } = chosen
    const module = folder === undefined ? writeTemporaryModule(run.root, code) : writeModule(folder, code)
    if (module) return { module, sourceMap }
  }
  const tried = places.map(({ folder }) => folder ?? tmpdir()).join(', ')
  throw new GeneratorError('cannot_write', [
    {
      message: `The definitions cannot be run: no module can be written in any of ${tried}.`,
      fix: 'Let this user write in one of them, or free some space; the module is removed again at once.',
    },
  ])
}

function importsItself({ root, packages }: Run): boolean {
  const own = ownPackageName(root)
  return own !== undefined && [...packages].some((name) => name === own || name.startsWith(`${own}/`))
}

function isBrokenImport(error: unknown): boolean {
  return messageOf(error) === brokenImport
}

/** Returns the advice for a definition that throws. */
export const fixOfThrown =
  'Correct the expression at this place; Callsheet runs the file alone, without arguments or services.'

function thrown(run: Run, file: string, error: unknown, at: SourcePosition | undefined): Finding {
  const what = thrownText(error)
  const place = at && !isInPackage(at.file) ? at : { file, line: 1, column: 1 }
  // Of two files that import each other, one runs first, when the other has no exports yet.
  const isCycle = isThrown(error, TypeError) || isThrown(error, ReferenceError)
  const cycle = isCycle ? importCycle(file, run.imports) : undefined
  const explained = cycle && {
    message: `${file} throws when it is run: ${what}. It is part of a circle of imports (${cycle.join(' -> ')}), in which one file reads what another has not made yet.`,
    fix: "Move what both need into a file of its own, or refer to it by name: Type.Ref('Name').",
  }
  return {
    rule: 'definition-throws',
    severity: 'error',
    message: `${file} throws when it is run: ${what}`,
    fix: fixOfThrown,
    ...explained,
    at: place,
  }
}

function endless(file: string, limit: number): Finding {
  return {
    rule: 'definition-never-ends',
    severity: 'error',
    message: `${file} does not end: it waits at its top level for longer than ${limit / 1000} s.`,
    fix: 'Remove the wait from it: a definitions file only declares Tools, and needs no server, timer or service.',
    at: { file, line: 1, column: 1 },
  }
}
