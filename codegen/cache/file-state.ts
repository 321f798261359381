import { createHash } from 'node:crypto'
import { readBytesIfPresent, realFileSystem, statIfPresent } from '../write/file-system.ts'

/** The recorded state of a file. `hash` is undefined if it did not exist. Times are epoch milliseconds. */
export interface FileState {
  /** Absolute. */
  readonly path: string
  readonly size: number
  readonly modified: number
  /** When the file's metadata last changed (ctime). Unlike `modified`, programs cannot set it back. */
  readonly changed: number
  readonly hash: string | undefined
}

/** How the state of a file compares with a recorded one. */
export type Comparison = 'same' | 'touched' | 'different'

/** Two changes within this many milliseconds can carry the same time. */
export const clockGrain = 20

/** Reads the current state of a file. */
export function fileState(path: string): FileState {
  const stat = statIfPresent(path)
  if (!stat?.isFile()) return { path, size: 0, modified: 0, changed: 0, hash: undefined }
  return { path, size: stat.size, modified: stat.mtimeMs, changed: stat.ctimeMs, hash: hashOf(path) }
}

/**
 * Compares a file with its recorded state: by size and times, and by content only if those leave a doubt. `touched` means
 * that the content is the same but the times differ, or are too close to the recording to be trusted.
 */
export function compareFile(recorded: FileState, recordedAt: number): Comparison {
  const stat = statIfPresent(recorded.path)
  if (!stat?.isFile()) return recorded.hash === undefined ? 'same' : 'different'
  if (recorded.hash === undefined || stat.size !== recorded.size) return 'different'
  const sameTimes = stat.mtimeMs === recorded.modified && stat.ctimeMs === recorded.changed
  if (sameTimes && stat.ctimeMs < recordedAt - clockGrain) return 'same'
  return hashOf(recorded.path) === recorded.hash ? 'touched' : 'different'
}

function hashOf(path: string): string | undefined {
  const bytes = readBytesIfPresent(path, realFileSystem)
  return bytes && createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}
