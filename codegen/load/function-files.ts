import { join } from 'node:path'
import { hasToolTag, isFunctionsOnly } from '../functions/tool-tag.ts'
import { readIfPresent, realFileSystem, statIfPresent } from '../write/file-system.ts'
import { maskSource } from './mask-source.ts'
import { type ResolveSpecifier, specifierResolver } from './resolve-specifier.ts'

/** Which definition modules declare Tools by functions (TOOL-5). Paths are relative to the root. */
export interface FunctionFiles {
  /** Modules for the reader of functions: they have the tag, or re-export from a file outside of the definitions that has it. */
  readonly declaring: readonly string[]
  /** Modules that are read without being run. */
  readonly notRun: ReadonlySet<string>
  /** The files of functions that the other modules re-export. */
  readonly reexported: ReadonlySet<string>
  /** Whether a file imports another one only to export what is in it. */
  readonly onlyReexports: OnlyReexports
}

/** Whether a file imports another one only to export what is in it. */
export type OnlyReexports = (file: string, imported: string) => boolean

/** What a text scan tells of a source file. */
interface Scanned {
  readonly isTagged: boolean
  /** Whether it declares Tools by functions only. */
  readonly isFunctionsOnly: boolean
  /** Whether it does nothing but re-export. */
  readonly isBarrel: boolean
  /** The files that it re-exports from. */
  readonly exportedFrom: readonly string[]
  /** The files that it imports for its own use. */
  readonly usedFrom: readonly string[]
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
  const resolveSource = specifierResolver(
    root,
    (path) => texts.has(path) || statIfPresent(join(root, path))?.isFile() === true,
  )
  const scan = (file: string): Scanned => {
    const known = scanned.get(file)
    if (known) return known
    const found = scanText(file, textOf(file) ?? '', resolveSource)
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
  const notRun = new Set(
    modules.filter((file) => scan(file).isFunctionsOnly || (scan(file).isBarrel && isOnlyFunctions(file))),
  )
  const run = modules.filter((file) => !notRun.has(file))
  return {
    declaring: modules.filter((file) =>
      [...reachable(file)].some((each) => scan(each).isTagged && (each === file || !texts.has(each))),
    ),
    notRun,
    reexported: new Set(
      run.flatMap((file) => [...reachable(file)]).filter((each) => scan(each).isFunctionsOnly),
    ),
    onlyReexports: (file, imported) =>
      scan(file).exportedFrom.includes(imported) && !scan(file).usedFrom.includes(imported),
  }
}

function isWithoutValues(scanned: Scanned): boolean {
  return scanned.isFunctionsOnly || (scanned.isBarrel && scanned.exportedFrom.length > 0)
}

const from = String.raw`\s*from\s*(?:'(?<single>[^'\n]+)'|"(?<double>[^"\n]+)")`
const names = String.raw`(?:\*(?:\s*as\s+[\w$]+)?|\{[^{}]*\})`
/** Re-exports, imports, and lists of exported names: all that a barrel consists of. */
const exportFrom = new RegExp(String.raw`\bexport\s*(?<type>type\s*)?${names}${from}`, 'g')
const importFrom = new RegExp(String.raw`\bimport\s*(?<type>type\s+(?!from\b))?[\w$*{}\s,]+?${from}`, 'g')
const exportList = /\bexport\s*\{[^{}]*\}/g

function scanText(file: string, text: string, resolveSource: ResolveSpecifier): Scanned {
  const own = { isTagged: hasToolTag(text), isFunctionsOnly: isFunctionsOnly(text) }
  if (!text.includes('export')) return { ...own, isBarrel: false, exportedFrom: [], usedFrom: [] }
  const code = maskSource(text, 'comments')
  const withoutReexports = code.replace(exportFrom, '')
  const withoutImports = withoutReexports.replace(importFrom, '')
  const rest = withoutImports.replace(exportList, '')
  const targetsOf = (statements: Iterable<RegExpExecArray>): (string | undefined)[] =>
    [...statements].flatMap(({ groups: { type, single, double } = {} }) =>
      type ? [] : [resolveSource(single ?? double ?? '', file)],
    )
  const imported = targetsOf(withoutReexports.matchAll(importFrom))
  const targets = [
    ...targetsOf(code.matchAll(exportFrom)),
    // What is imported may be exported by name.
    ...(rest.length < withoutImports.length ? imported : []),
  ]
  const holdsNothing = /^[\s;]*$/.test(rest)
  return {
    ...own,
    isBarrel: holdsNothing && !targets.includes(undefined),
    exportedFrom: targets.flatMap((target) => target ?? []),
    usedFrom: holdsNothing ? [] : imported.flatMap((target) => target ?? []),
  }
}
