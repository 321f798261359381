import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { registrationsIn, type SourceRegistrations } from '../registrations/registrations-in.ts'
import { isSourceName, mayHoldSources } from '../registrations/source-names.ts'
import { systemCode } from '../write/file-system.ts'

/** A file of implementations. */
export interface ActivityFile extends SourceRegistrations {
  /** Relative to the activities folder. */
  readonly path: string
  readonly text: string
}

/**
 * Reads the files of an activities folder and their registrations; undefined if there is no such folder.
 *
 * @param shown The folder's path in positions.
 */
export function activityFiles(folder: string, shown: string): ActivityFile[] | undefined {
  const paths = sourcesBelow(folder, '')
  return paths?.sort(byCodeUnit).map((path) => {
    const text = readFileSync(join(folder, path), 'utf8')
    return { path, text, ...registrationsIn(text, posix.join(shown, path)) }
  })
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
    if (entry.isDirectory()) return mayHoldSources(entry.name) ? (sourcesBelow(folder, path) ?? []) : []
    return entry.isFile() && isSourceName(entry.name) ? [path] : []
  })
}
