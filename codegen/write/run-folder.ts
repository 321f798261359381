import { join } from 'node:path'

/**
 * The temporary folder inside the output folder, with the lock, the journal and staged files. Inside, because a move is atomic
 * only within one file system.
 */
export const runFolderName = '.callsheet-run'

export function runFolder(folder: string): string {
  return join(folder, runFolderName)
}

/** Returns the path of the lock. */
export function lockPath(folder: string): string {
  return join(runFolder(folder), 'lock')
}

/** Returns the path of the journal, which lists the files that a run will write, so that a killed run's files are recognised. */
export function journalPath(folder: string): string {
  return join(runFolder(folder), 'journal.json')
}

/** Returns the path of a run's staging folder. */
export function stagePath(folder: string, run: string): string {
  return join(runFolder(folder), `new-${run}`)
}
