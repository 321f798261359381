import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { byCodeUnit } from '../../runtime/json/json.ts'
import type { RegistrationScope } from '../registrations/find-registrations.ts'
import { registrationOwner } from '../registrations/registration-owner.ts'
import { type Registration, registrationsIn } from '../registrations/registrations-in.ts'
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
  const isOwn = registrationOwner(scope)
  const paths = sourcesBelow(folder, '')
  return paths?.sort(byCodeUnit).map((path) => {
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')
    const { registrations: all } = registrationsIn(text, posix.join(scope.activitiesFolder, path))
    const registrations = all.filter(({ origin }) => isOwn(file, origin))
    return { path, text, registrations, isOfOthers: all.length > 0 && registrations.length === 0 }
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
