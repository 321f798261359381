import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { Finding } from '../model.ts'
import { portablePath } from '../paths/portable-path.ts'
import { statIfPresent } from '../write/file-system.ts'

const definitionFile = /\.(ts|mts|js|mjs|json)$/
const notDefinition = /\.d\.[cm]?ts$|\.test\.[^.]+$/
/** Files that somebody could mean as definitions: CommonJS or JSX modules, other kinds of JSON, extensions in capitals. */
const otherFile = /\.([cm]?[jt]sx?|json[c5]?)$/i

/** The definition files of a project, and the configured paths without any. */
export interface FoundFiles {
  /** Relative to the root, with forward slashes, sorted by code unit, each once. */
  readonly files: string[]
  readonly findings: Finding[]
}

/** A file or folder among the definitions that is not read, with the reason. */
interface Listed {
  readonly path: string
  readonly passedOver?: keyof typeof reasons
}

/**
 * Lists the definition files below the given folders, and the files that are named directly. Declaration files, tests, hidden
 * folders and `node_modules` are skipped; files that somebody could miss, with a warning.
 */
export function findFiles(root: string, definitions: readonly string[]): FoundFiles {
  const files = new Set<string>()
  const passed = new Map<string, Finding>()
  const findings: Finding[] = []
  const named = new Set(definitions.map((place) => portablePath(root, resolve(root, place))))
  for (const place of definitions) {
    const found = listedAt(resolve(root, place))
    if (typeof found === 'string') findings.push(nothingAt(place, found))
    else {
      for (const { path, passedOver } of found) {
        const file = portablePath(root, path)
        if (passedOver === undefined) files.add(file)
        else if (!named.has(file)) passed.set(file, passedOverAt(file, passedOver))
      }
    }
  }
  const sorted = [...passed.keys()].sort(byCodeUnit).flatMap((file) => passed.get(file) ?? [])
  return { files: [...files].sort(byCodeUnit), findings: [...findings, ...sorted] }
}

/** Returns the files at a path, or a sentence that explains why there are no definitions. */
function listedAt(path: string): Listed[] | string {
  const stats = statIfPresent(path)
  if (!stats) return /[*?{[]/.test(path) ? 'does not exist, and patterns are not supported' : 'does not exist'
  if (stats.isFile()) {
    return definitionFile.test(path)
      ? [{ path }]
      : 'is not a file that can hold definitions (.ts, .mts, .js, .mjs, .json)'
  }
  const listed = listedBelow(path)
  return listed.some(({ passedOver }) => passedOver === undefined)
    ? listed
    : 'holds no definition file (.ts, .mts, .js, .mjs, .json)'
}

function listedBelow(folder: string): Listed[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): Listed[] => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isHidden(entry) ? [] : listedBelow(path)
    if (entry.isSymbolicLink()) return linkedAt(entry, path)
    return entry.isFile() ? fileAt(entry, path) : []
  })
}

/** Follows links to files, but not to folders, which could lead in circles. A link to itself throws. */
function linkedAt(entry: Dirent, path: string): Listed[] {
  if (isHidden(entry)) return []
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return [{ path, passedOver: 'linkToFolder' }]
  if (stats) return stats.isFile() ? fileAt(entry, path) : []
  return fileAt(entry, path).length > 0 ? [{ path, passedOver: 'linkToNothing' }] : []
}

function fileAt({ name }: Dirent, path: string): Listed[] {
  if (notDefinition.test(name)) return []
  if (definitionFile.test(name)) return [{ path }]
  return otherFile.test(name) ? [{ path, passedOver: 'kind' }] : []
}

function isHidden({ name }: Dirent): boolean {
  return name === 'node_modules' || name.startsWith('.')
}

const reasons = {
  kind: [
    'definitions are read from .ts, .mts, .js, .mjs and .json files',
    'Rename it to .ts or .mts if it holds definitions, or move it out of the folder.',
  ],
  linkToFolder: [
    'it is a symbolic link to a folder',
    'Name it under `definitions` in the configuration, beside its folder, if it holds definitions.',
  ],
  linkToNothing: ['it is a symbolic link, and leads nowhere', 'Correct the link, or remove it.'],
} as const

function passedOverAt(file: string, reason: keyof typeof reasons): Finding {
  const [why, fix] = reasons[reason]
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
    fix: 'Create it with a definition in it (export const weatherCheck = tool(…)), or correct `definitions` in the configuration. If another package declares the Tools, pass its folder with --cwd.',
    at: { file: place, line: 1, column: 1 },
  }
}
