import type { SourceText } from './source-text.ts'

/** A definition to find in a source text. */
export interface Declaration {
  /** The name of the export that is the definition or contains it. */
  readonly exportName: string
  /** The keys that lead from the export to the definition; empty for the export itself. */
  readonly members: readonly string[]
  /** The Tool's name; undefined for a shared schema. */
  readonly tool?: string
}

/** Finds the declaration by its identifier or literal; undefined if the text has none. */
export function findDeclaration(source: SourceText, declaration: Declaration): number | undefined {
  const { exportName, members, tool } = declaration
  const asExport = () => source.variables.get(exportName)
  const asTool = () => (tool === undefined ? undefined : toolLiteral(source, tool))
  const orders =
    members.length > 0 ? [asTool, () => lastMember(source, declaration), asExport] : [asExport, asTool]
  return firstFound([...orders, () => (exportName === 'default' ? defaultExport(source) : undefined)])
}

function defaultExport(source: SourceText): number | undefined {
  return find(source.code, /\bexport\s+default\b/)
}

/** Finds the name as the literal of a declaration. */
function toolLiteral(source: SourceText, name: string): number | undefined {
  const quoted = `(['"\`])${escaped(name)}\\1`
  const [, toolkit, member] = name.match(/^(.*)\.([^.]+)$/) ?? []
  return firstFound([
    () => find(source.uncommented, new RegExp(`\\btool\\(\\s*${quoted}`)),
    () => find(source.uncommented, new RegExp(`_tool['"]?\\s*:\\s*(?:\\w+\\.)?Literal\\(\\s*${quoted}`)),
    () => find(source.uncommented, new RegExp(`\\bconst['"]?\\s*:\\s*${quoted}`)),
    () => (toolkit && member ? toolkitMember(source, toolkit, member) : undefined),
  ])
}

function toolkitMember(source: SourceText, toolkit: string, member: string): number | undefined {
  const at = find(source.uncommented, new RegExp(`\\btoolkit\\(\\s*(['"\`])${escaped(toolkit)}\\1`))
  return at === undefined ? undefined : (findKey(source, member, at) ?? at)
}

function lastMember(source: SourceText, { exportName, members }: Declaration): number | undefined {
  const at = source.variables.get(exportName)
  const key = members.at(-1)
  return at === undefined || key === undefined ? at : (findKey(source, key, at) ?? at)
}

/** Finds the next occurrence of this key in an object literal, before the next export. */
export function findKey(source: SourceText, key: string, from: number): number | undefined {
  const end = find(source.code.slice(from), /\nexport\b/)
  const part = source.uncommented.slice(from, end === undefined ? undefined : from + end)
  const at = find(part, new RegExp(`(?<![\\w$.])(['"]?)${escaped(key)}\\1\\s*:`))
  return at === undefined ? undefined : from + at
}

function find(text: string, pattern: RegExp): number | undefined {
  return pattern.exec(text)?.index
}

function firstFound(searches: readonly (() => number | undefined)[]): number | undefined {
  for (const search of searches) {
    const found = search()
    if (found !== undefined) return found
  }
  return undefined
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
