import { maskSource } from '../load/mask-source.ts'
import type { SourcePosition } from '../model.ts'

/** A call of `Activity.register` in a source file. */
export interface Registration {
  readonly name: string
  readonly at: SourcePosition
}

/** What every registration has in it: most files are done with one search. */
const marker = 'register'

/**
 * Finds the registrations in a text, by a look at it: nothing is parsed or run. Comments and texts that only mention one
 * do not count, and a name that is computed is not seen.
 *
 * @param file The file's path in positions.
 */
export function registrationsIn(text: string, file: string): Registration[] {
  if (!text.includes(marker) || !text.includes('Activity')) return []
  const uncommented = maskSource(text, 'comments')
  const code = maskSource(text, 'comments and strings')
  const names = ['Activity', ...aliases(code)].map((name) => name.replaceAll('$', '\\$'))
  const calls = new RegExp(
    `(?<![\\w$.])(?:${names.join('|')})\\s*\\.\\s*register\\s*\\(\\s*(['"\`])([^'"\`\\\\\\n]+)\\1`,
    'g',
  )
  return [...uncommented.matchAll(calls)].flatMap(({ 2: name = '', index }) =>
    code[index] === ' ' ? [] : [{ name, at: positionOf(text, index, file) }],
  )
}

/** The other names under which a file knows an `Activity`. */
function aliases(code: string): string[] {
  return [...code.matchAll(/\bActivity\s+as\s+([\w$]+)/g)].map(([, alias = '']) => alias)
}

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
  return /\{[^}]*\bActivity\b[^}]*\}\s*(?::[^=]*)?=\s*createRegistry\b/.test(uncommented)
    ? 'createRegistry'
    : undefined
}

function positionOf(text: string, offset: number, file: string): SourcePosition {
  const before = text.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
