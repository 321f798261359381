import { createHash } from 'node:crypto'
import { type RegistrationScope, searchedSources } from '../registrations/find-registrations.ts'
import { statIfPresent } from '../write/file-system.ts'

/** What the sources in which registrations are looked for are like, without reading them. */
export interface SourceState {
  /** Another one when a file came, went or changed. */
  readonly mark: string
  /** When the last of them changed, in epoch milliseconds. */
  readonly changed: number
}

/** The state of the sources now. */
export function sourceState(searches: readonly RegistrationScope[]): SourceState {
  const hash = createHash('sha256')
  let changed = 0
  for (const file of new Set(searches.flatMap((search) => searchedSources(search).files))) {
    const stat = statIfPresent(file)
    hash.update(`${file} ${stat?.size} ${stat?.mtimeMs} ${stat?.ctimeMs}\n`)
    changed = Math.max(changed, stat?.ctimeMs ?? 0)
  }
  return { mark: hash.digest('base64url').slice(0, 22), changed }
}
