import { createHash } from 'node:crypto'
import { type RegistrationScope, searchedSources } from '../registrations/searched-sources.ts'
import { statIfPresent } from '../write/file-system.ts'

/** The state of the sources that are searched for registrations, computed without reading them. */
export interface SourceState {
  /** Changes when a file is added, removed or changed. */
  readonly mark: string
  /** The latest change of a file, in epoch milliseconds. */
  readonly changed: number
}

/** Computes the current state of the sources. */
export function sourceState(searches: readonly RegistrationScope[]): SourceState {
  const hash = createHash('sha256')
  let changed = 0
  const sources = searches.map(searchedSources)
  for (const file of new Set(sources.flatMap(({ files, components }) => [...files, ...components]))) {
    const stat = statIfPresent(file)
    hash.update(`${file} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}\n`)
    changed = Math.max(changed, stat?.ctimeMs ?? 0)
  }
  return { mark: hash.digest('base64url').slice(0, 22), changed }
}
