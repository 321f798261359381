import { maskSource } from '../load/mask-source.ts'
import type { SourcePosition } from '../model.ts'

/** A call of `Activity.register` in a source file. */
export interface Registration {
  readonly name: string
  readonly at: SourcePosition
}

/** The registrations in a source text. */
export interface SourceRegistrations {
  readonly registrations: readonly Registration[]
  /** Positions of registrations with computed names. */
  readonly computed: readonly SourcePosition[]
}

/** Part of every registration. Most files need only the search for it. */
const marker = 'register'

/** Matches a string literal as the whole argument: no longer expression, and no template with placeholders. */
const literalArgument = /(['"`])((?:[^'"`\\\n$]|\$(?!\{))+)\1\s*[,)]/

const nothing: SourceRegistrations = { registrations: [], computed: [] }

/**
 * Finds the registrations in a source by a text scan, without parsing or running it. Ignores comments and strings. For a
 * computed name, only the position is found.
 *
 * @param file The file's path in positions.
 */
export function registrationsIn(text: string, file: string): SourceRegistrations {
  if (!text.includes(marker) || !text.includes('Activity')) return nothing
  const uncommented = maskSource(text, 'comments')
  const code = maskSource(text, 'comments and strings')
  const names = activityNames(code).map((name) => name.replaceAll('$', '\\$').replace('.', '\\s*\\.\\s*'))
  const calls = new RegExp(
    `(?<![\\w$.])(?:${names.join('|')})\\s*\\.\\s*register\\s*(?:<[^()]*>\\s*)?\\(\\s*(?:${literalArgument.source})?`,
    'g',
  )
  const registrations: Registration[] = []
  const computed: SourcePosition[] = []
  for (const { 2: name, index } of uncommented.matchAll(calls)) {
    if (code[index] === ' ') continue
    const at = positionOf(text, index, file)
    if (name === undefined) computed.push(at)
    else registrations.push({ name, at })
  }
  return { registrations, computed }
}

/** Returns the expressions that mean `Activity` in a file: the name, an alias, or a member of an imported module. */
function activityNames(code: string): string[] {
  const aliases = [...code.matchAll(/\bActivity\s+as\s+([\w$]+)/g)].map(([, alias = '']) => alias)
  const modules = [...code.matchAll(/\bimport\s*\*\s*as\s+([\w$]+)/g)].map(
    ([, module]) => `${module}.Activity`,
  )
  return ['Activity', ...aliases, ...modules]
}

const importedModule = /\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*['"]([^'"]+)['"]/g

/**
 * Returns the module specifier that a file imports its `Activity` from; `createRegistry` for a registry without generated
 * code; undefined if the text does not tell (a parameter, a destructured namespace).
 */
export function activitySource(text: string): string | undefined {
  const uncommented = maskSource(text, 'comments')
  const imported =
    /\bimport\s*\{[^}]*\bActivity\b[^}]*\}\s*from\s*['"]([^'"]+)['"]/.exec(uncommented) ??
    /\{[^}]*\bActivity\b[^}]*\}\s*=\s*(?:await\s+import|require)\s*\(\s*['"]([^'"]+)['"]/.exec(uncommented)
  if (imported) return imported[1]
  for (const [, module = '', source] of uncommented.matchAll(importedModule)) {
    if (uncommented.includes(`${module}.Activity`)) return source
  }
  return /\{[^}]*\bActivity\b[^}]*\}\s*(?::[^=]*)?=\s*createRegistry\b/.test(uncommented)
    ? 'createRegistry'
    : undefined
}

function positionOf(text: string, offset: number, file: string): SourcePosition {
  const before = text.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
