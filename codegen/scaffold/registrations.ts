import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { maskSource } from '../load/mask-source.ts'
import type { SourcePosition } from '../model.ts'
import { systemCode } from '../write/file-system.ts'

/** A call of `Activity.register` in a file. */
export interface Registration {
  readonly name: string
  readonly at: SourcePosition
}

/** A file of implementations. */
export interface ActivityFile {
  /** Relative to the activities folder. */
  readonly path: string
  readonly text: string
  readonly registrations: readonly Registration[]
}

const sourceFile = /\.[cm]?[jt]sx?$/
const notSource = /\.d\.[cm]?ts$|\.(?:test|spec)\.[cm]?[jt]sx?$/

/**
 * Finds what is registered in a folder, by a look at the text: nothing is parsed or run. Undefined when there is no such
 * folder. A name that is computed is not seen.
 *
 * @param shown The folder's path in positions.
 */
export function activityFiles(folder: string, shown: string): ActivityFile[] | undefined {
  const paths = sourcesBelow(folder, '')
  return paths?.sort(byCodeUnit).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    return { path, text, registrations: registrationsIn(text, posix.join(shown, path)) }
  })
}

/** The registrations in a text. */
function registrationsIn(text: string, file: string): Registration[] {
  const code = maskSource(text, 'comments')
  const names = [
    'Activity',
    ...[...code.matchAll(/\bActivity\s+as\s+([\w$]+)/g)].map(([, alias = '']) => alias),
  ]
  const calls = new RegExp(
    `(?<![\\w$.])(?:${names.map((name) => name.replaceAll('$', '\\$')).join('|')})\\s*\\.\\s*register\\s*\\(\\s*(['"\`])([^'"\`\\\\\\n]+)\\1`,
    'g',
  )
  return [...code.matchAll(calls)].map(({ 2: name = '', index }) => ({
    name,
    at: positionOf(text, index, file),
  }))
}

function positionOf(text: string, offset: number, file: string): SourcePosition {
  const before = text.slice(0, offset)
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

function sourcesBelow(folder: string, under: string): string[] | undefined {
  let entries: Dirent[]
  try {
    entries = readdirSync(join(folder, under), { withFileTypes: true })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
  return entries.flatMap((entry) => {
    const path = posix.join(under, entry.name)
    if (entry.isDirectory()) {
      return entry.name === 'node_modules' || entry.name.startsWith('.')
        ? []
        : (sourcesBelow(folder, path) ?? [])
    }
    return entry.isFile() && sourceFile.test(entry.name) && !notSource.test(entry.name) ? [path] : []
  })
}
