import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import { type Registration, registrationsOf } from '../registrations/find-registrations.ts'
import type { RegistrationScope } from '../registrations/searched-sources.ts'
import { isSourceName, mayHoldSources } from '../registrations/source-names.ts'
import { systemCode } from '../write/file-system.ts'

/** A file of implementations. */
export interface ActivityFile {
  /** Relative to the activities folder. */
  readonly path: string
  readonly text: string
  /** The registrations for the set. */
  readonly registrations: readonly Registration[]
  /** Whether it registers, and for other sets only. */
  readonly isOfOthers: boolean
}

/**
 * Reads the files of an activities folder, and what they register for one set of definitions: several sets can share a folder.
 * Returns undefined if there is no such folder.
 */
export function activityFiles(scope: RegistrationScope): ActivityFile[] | undefined {
  const folder = resolve(scope.root, scope.activitiesFolder)
  const paths = sourcesBelow(folder, '')?.sort(byCodeUnit)
  if (paths === undefined) return undefined
  const found = registrationsOf(
    paths.map((path) => join(folder, path)),
    scope,
  )
  return paths.map((path, index) => {
    const { registrations = [], others = 0 } = found[index] ?? {}
    const text = readFileSync(join(folder, path), 'utf8')
    return { path, text, registrations, isOfOthers: others > 0 && registrations.length === 0 }
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
