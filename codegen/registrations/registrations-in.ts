import { maskSource } from '../load/mask-source.ts'
import type { SourcePosition } from '../model.ts'

/** A call of `Activity.register` in a source file. */
export interface Registration {
  readonly name: string
  readonly at: SourcePosition
}

/** What the text of a source says of registrations. */
export interface SourceRegistrations {
  readonly registrations: readonly Registration[]
  /** Where something is registered under a name that the text does not tell. */
  readonly computed: readonly SourcePosition[]
}

/** Stands in every registration, so that one search is all that most files cost. */
const marker = 'register'

/** A name as a text of its own: not the beginning of an expression, and not a template with parts in it. */
const literalArgument = /(['"`])((?:[^'"`\\\n$]|\$(?!\{))+)\1\s*[,)]/

const nothing: SourceRegistrations = { registrations: [], computed: [] }

/**
 * Finds the registrations in a text, by a look at it: nothing is parsed or run. Comments and texts that only mention one
 * do not count; of a name that is computed only the place is seen.
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

/** The names under which a file knows an `Activity`: its own, another one, or as a member of an imported module. */
function activityNames(code: string): string[] {
  const aliases = [...code.matchAll(/\bActivity\s+as\s+([\w$]+)/g)].map(([, alias = '']) => alias)
  const modules = [...code.matchAll(/\bimport\s*\*\s*as\s+([\w$]+)/g)].map(
    ([, module]) => `${module}.Activity`,
  )
  return ['Activity', ...aliases, ...modules]
}

const importedModule = /\bimport\s*\*\s*as\s+([\w$]+)\s+from\s*['"]([^'"]+)['"]/g

/**
 * Where a file has its `Activity` from, as its imports spell it; `createRegistry` for a registry made by hand; undefined
 * where the text does not tell (a parameter, a destructured namespace).
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
