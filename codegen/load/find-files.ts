import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Finding } from '../model.ts'
import { portablePath } from '../paths/portable-path.ts'
import { statIfPresent } from '../write/file-system.ts'

const definitionFile = /\.(ts|mts|js|mjs|json)$/
const notDefinition = /\.d\.m?ts$|\.test\.[^.]+$/
/** Somebody could mean these as definitions: generated code is made of modules, and takes none in CommonJS. */
const commonjsFile = /(?<!\.d|\.test)\.c[jt]s$/

/** The definition files of a project, and the configured places where there are none. */
export interface FoundFiles {
  /** Relative to the root, with forward slashes, sorted by code unit, each once. */
  readonly files: string[]
  readonly findings: Finding[]
}

/**
 * Lists the definition files below the given folders, and the files that are named themselves. Declaration files,
 * tests, hidden folders and `node_modules` are passed over.
 */
export function findFiles(root: string, definitions: readonly string[]): FoundFiles {
  const files = new Set<string>()
  const findings: Finding[] = []
  for (const place of definitions) {
    const path = resolve(root, place)
    const found = filesAt(path)
    if (typeof found === 'string') findings.push(nothingAt(place, found))
    else for (const file of found) files.add(portablePath(root, file))
  }
  const sorted = [...files].sort(byCodeUnit)
  const named = new Set(definitions.map((place) => portablePath(root, resolve(root, place))))
  const isPassedOver = (file: string): boolean => !definitionFile.test(file) && !named.has(file)
  return {
    files: sorted.filter((file) => definitionFile.test(file)),
    findings: [...findings, ...sorted.filter(isPassedOver).map(passedOver)],
  }
}

/** The files at a path, or in words why there are none. */
function filesAt(path: string): string[] | string {
  const stats = statIfPresent(path)
  if (!stats) return 'does not exist'
  if (stats.isFile()) {
    return definitionFile.test(path)
      ? [path]
      : 'is not a file that can hold definitions (.ts, .mts, .js, .mjs, .json)'
  }
  const files = filesBelow(path)
  return files.some((file) => definitionFile.test(file))
    ? files
    : 'holds no definition file (.ts, .mts, .js, .mjs, .json)'
}

/** What is to be read below a folder, and what is passed over and could be missed. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      return isHidden(entry) ? [] : filesBelow(path)
    }
    return isDefinitionFile(entry, path) || isLinkedFolder(entry, path) ? [path] : []
  })
}

/** Not followed, since it could lead in circles. */
function isLinkedFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink() || isHidden(entry)) return false
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isHidden({ name }: Dirent): boolean {
  return name === 'node_modules' || name.startsWith('.')
}

/** A symbolic link to a file counts. One that leads to itself throws. */
function isDefinitionFile(entry: Dirent, path: string): boolean {
  if (notDefinition.test(entry.name) || !(definitionFile.test(entry.name) || commonjsFile.test(entry.name)))
    return false
  return entry.isSymbolicLink()
    ? (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
    : entry.isFile()
}

function passedOver(file: string): Finding {
  const [why, fix] = commonjsFile.test(file)
    ? [
        'definitions are read from .ts, .mts, .js, .mjs and .json files',
        'Rename it to .ts or .mts if it holds definitions, or move it out of the folder.',
      ]
    : [
        'it is a symbolic link to a folder',
        `Name it under \`definitions\` in the configuration, beside its folder, if it holds definitions.`,
      ]
  return {
    rule: 'passed-over',
    severity: 'warning',
    message: `${file} is passed over: ${why}.`,
    fix,
    at: { file, line: 1, column: 1 },
  }
}

function nothingAt(place: string, why: string): Finding {
  return {
    rule: 'no-definitions',
    severity: 'error',
    message: `"${place}" ${why}.`,
    fix: 'Create it with a definition in it (export const weatherCheck = tool(…)), or correct `definitions` in the configuration.',
    at: { file: place, line: 1, column: 1 },
  }
}
