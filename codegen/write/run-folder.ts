import { join } from 'node:path'

/**
 * The folder inside the output folder that exists only while files are written: the lock, the journal and the files
 * before they are moved into place. Inside, because a move is atomic only within one file system.
 */
export const runFolderName = '.callsheet-run'

export function runFolder(folder: string): string {
  return join(folder, runFolderName)
}

/** Held by the run that writes. */
export function lockPath(folder: string): string {
  return join(runFolder(folder), 'lock')
}

/** Lists what a run is about to write, so that a killed run's files are known to be the generator's. */
export function journalPath(folder: string): string {
  return join(runFolder(folder), 'journal.json')
}

/** Where a run puts its files before they are moved. */
export function stagePath(folder: string, run: string): string {
  return join(runFolder(folder), `new-${run}`)
}
