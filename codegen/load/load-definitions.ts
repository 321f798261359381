import { realpathSync } from 'node:fs'
import { join, posix } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { exportsNothing } from '../findings/exports-nothing.ts'
import type { Finding, LoadedDefinition } from '../model.ts'
import { type Candidate, Collection } from './collection.ts'
import { type Evaluation, evaluateFiles } from './evaluate-files.ts'
import { findFiles } from './find-files.ts'
import { functionFiles } from './function-files.ts'
import { keepIntrinsics } from './keep-intrinsics.ts'
import { moduleLocator } from './locator.ts'
import { notUtf8 } from './not-utf8.ts'
import { optionalSpreads } from './optional-spread.ts'
import { readJson } from './read-json.ts'
import { SourceText } from './source-text.ts'
import { definitionLimit } from './within-limit.ts'

export interface LoadOptions {
  /** Absolute path of the project folder. */
  readonly root: string
  /** Folders or files with definitions, relative to the root. */
  readonly definitions: readonly string[]
}

/** The definitions of a project. */
export interface LoadResult {
  readonly definitions: LoadedDefinition[]
  readonly findings: Finding[]
  /** Absolute paths of all files that were read or missed, except those of packages, sorted. */
  readonly inputs: string[]
  /** Those of them that were run: their code decides what the definitions are. */
  readonly ran: string[]
  /** The import specifiers of packages and Node modules, as written, sorted. */
  readonly packages: string[]
  /**
   * Definition files with an `@tool` tag, or that re-export from such a file, relative to the root, for the reader of
   * functions (TOOL-5).
   */
  readonly functionFiles: string[]
  /** Those of them that are not run, and declare nothing else. */
  readonly onlyFunctions: string[]
}

/**
 * Phase 1: runs the definition files and collects their exports. Every problem of every file is a finding, and none hides
 * another.
 */
export async function loadDefinitions({ root, definitions }: LoadOptions): Promise<LoadResult> {
  const realRoot = realpathSync(root)
  const found = findFiles(realRoot, definitions)
  const modules = found.files.filter((file) => !file.endsWith('.json'))
  const json = new Map(
    found.files
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file, new SourceText(realRoot, file)]),
  )
  const texts = new Map(modules.map((file) => [file, new SourceText(realRoot, file).text]))
  const { declaring, notRun, ...spared } = functionFiles(realRoot, modules, texts)
  const toRun = modules.filter((file) => !notRun.has(file))
  const evaluation = await evaluateFiles(realRoot, toRun, definitionLimit, keepIntrinsics(), spared)
  const collection = new Collection()
  collection.findings.push(...found.findings, ...evaluation.findings, ...optionalSpreads(evaluation))
  for (const file of found.files) {
    const source = json.get(file)
    if (source) await collectJson(collection, source)
    else collectModule(collection, file, evaluation, declaring.includes(file))
  }
  collection.findings.push(...[...evaluation.sources.values(), ...json.values()].flatMap(notUtf8))
  return {
    definitions: collection.definitions,
    findings: collection.findings,
    inputs: [
      ...new Set([
        ...evaluation.sources.keys(),
        ...evaluation.missing,
        ...json.keys(),
        ...declaring,
        ...notRun,
      ]),
    ]
      .map((file) => join(realRoot, file))
      .sort(byCodeUnit),
    ran: [...evaluation.sources.keys()].map((file) => join(realRoot, file)),
    packages: [...evaluation.packages].sort(byCodeUnit),
    functionFiles: [...declaring],
    onlyFunctions: declaring.filter((file) => notRun.has(file)),
  }
}

async function collectJson(collection: Collection, source: SourceText): Promise<void> {
  const read = await readJson(source)
  if (!Array.isArray(read)) {
    collection.findings.push(read)
    return
  }
  const added = read.map((candidate) => collection.add(candidate))
  if (!added.includes(true)) collection.findings.push(holdsNoTool(source.file))
}

function collectModule(
  collection: Collection,
  file: string,
  evaluation: Evaluation,
  hasFunctions: boolean,
): void {
  const exported = evaluation.exports.get(file)
  if (!exported) return
  // A schema's own name is preferred to `default`.
  const names = Object.keys(exported).sort((left, right) =>
    left === 'default' ? 1 : right === 'default' ? -1 : byCodeUnit(left, right),
  )
  const added = names.map((name) => collection.add(exportCandidate(file, name, exported[name], evaluation)))
  if (added.includes(true) || hasFunctions) return
  const text = evaluation.sources.get(file)?.text ?? ''
  collection.findings.push(exportsNothing(file, names, text.includes('@tool')))
}

function exportCandidate(file: string, name: string, value: unknown, evaluation: Evaluation): Candidate {
  return {
    value,
    path: [name],
    label: name === 'default' ? 'default export' : `export "${name}"`,
    fallbackName: name === 'default' ? posix.basename(file).replace(/\.[^.]+$/, '') : name,
    expected: 'any',
    locator: ([exportName = '', ...members], tool) =>
      moduleLocator(file, { exportName, members, ...(tool !== undefined && { tool }) }, evaluation),
  }
}

function holdsNoTool(file: string): Finding {
  return {
    rule: 'exports-nothing',
    severity: 'error',
    message: `${file} holds no Tool.`,
    fix: 'Write the JSON Schema of a Tool in it, a list of them, or { "tools": [ … ] }, or move the file out of the definitions.',
    at: { file, line: 1, column: 1 },
  }
}
