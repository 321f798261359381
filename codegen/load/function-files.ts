import { join, posix } from 'node:path'
import { hasToolTag, isFunctionsOnly } from '../functions/tool-tag.ts'
import { readIfPresent, realFileSystem } from '../write/file-system.ts'
import { maskSource } from './mask-source.ts'

/** Which definition modules declare Tools by functions (TOOL-5). Paths are relative to the root. */
export interface FunctionFiles {
  /** Modules for the reader of functions: they have the tag, or re-export from a file outside of the definitions that has it. */
  readonly declaring: readonly string[]
  /** Modules that are read without being run. */
  readonly notRun: ReadonlySet<string>
}

/** What a text scan tells of a source file. */
interface Scanned {
  readonly isTagged: boolean
  /** Whether it declares Tools by functions only. */
  readonly isFunctionsOnly: boolean
  /** Whether it does nothing but re-export. */
  readonly isBarrel: boolean
  /** The files that it re-exports from. */
  readonly exportedFrom: readonly string[]
}

/** Finds the modules that declare Tools by functions, themselves or by re-exports. Reads, and runs nothing. */
export function functionFiles(
  root: string,
  modules: readonly string[],
  texts: ReadonlyMap<string, string>,
): FunctionFiles {
  const scanned = new Map<string, Scanned>()
  const textOf = (file: string): string | undefined =>
    texts.get(file) ?? readIfPresent(join(root, file), realFileSystem)
  const scan = (file: string): Scanned => {
    const known = scanned.get(file)
    if (known) return known
    const found = scanText(file, textOf(file) ?? '', (path) => textOf(path) !== undefined)
    scanned.set(file, found)
    return found
  }
  /** Lists the files that a file re-exports from, itself included. */
  const reachable = (file: string): Set<string> => {
    const found = new Set([file])
    for (const each of found) for (const target of scan(each).exportedFrom) found.add(target)
    return found
  }
  const isOnlyFunctions = (file: string): boolean => {
    const reached = [...reachable(file)].map(scan)
    return reached.some(({ isTagged }) => isTagged) && reached.every(isWithoutValues)
  }
  return {
    declaring: modules.filter((file) =>
      [...reachable(file)].some((each) => scan(each).isTagged && (each === file || !texts.has(each))),
    ),
    notRun: new Set(
      modules.filter((file) => scan(file).isFunctionsOnly || (scan(file).isBarrel && isOnlyFunctions(file))),
    ),
  }
}

function isWithoutValues(scanned: Scanned): boolean {
  return scanned.isFunctionsOnly || (scanned.isBarrel && scanned.exportedFrom.length > 0)
}

const from = String.raw`\s*from\s*(?:'(?<single>[^'\n]+)'|"(?<double>[^"\n]+)")`
const names = String.raw`(?:\*(?:\s*as\s+[\w$]+)?|\{[^{}]*\})`
/** Re-exports, imports, and lists of exported names: all that a barrel consists of. */
const exportFrom = new RegExp(String.raw`\bexport\s*(?<type>type\s*)?${names}${from}`, 'g')
const importFrom = new RegExp(String.raw`\bimport\s*[\w$*{}\s,]+?${from}`, 'g')
const exportList = /\bexport\s*\{[^{}]*\}/g

function scanText(file: string, text: string, exists: (path: string) => boolean): Scanned {
  const own = { isTagged: hasToolTag(text), isFunctionsOnly: isFunctionsOnly(text) }
  if (!text.includes('export')) return { ...own, isBarrel: false, exportedFrom: [] }
  const code = maskSource(text, 'comments')
  const withoutReexports = code.replace(exportFrom, '')
  const withoutImports = withoutReexports.replace(importFrom, '')
  const rest = withoutImports.replace(exportList, '')
  const specifiers = [
    ...code.matchAll(exportFrom),
    // What is imported may be exported by name.
    ...(rest.length < withoutImports.length ? withoutReexports.matchAll(importFrom) : []),
  ].flatMap(({ groups: { type, single, double } = {} }) => (type ? [] : (single ?? double ?? [])))
  const targets = specifiers.map((specifier) => resolveRelative(specifier, file, exists))
  return {
    ...own,
    isBarrel: /^[\s;]*$/.test(rest) && !targets.includes(undefined),
    exportedFrom: targets.flatMap((target) => target ?? []),
  }
}

/** Returns the source file that a relative specifier means; undefined for one of a package. */
function resolveRelative(
  specifier: string,
  file: string,
  exists: (path: string) => boolean,
): string | undefined {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined
  const path = posix.join(posix.dirname(file), specifier)
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')
  const candidates = [
    typed,
    path,
    `${path}.ts`,
    `${path}.tsx`,
    `${path}.js`,
    `${path}/index.ts`,
    `${path}/index.js`,
  ]
  return candidates.find((candidate) => /\.[cm]?[jt]sx?$/.test(candidate) && exists(candidate))
}
