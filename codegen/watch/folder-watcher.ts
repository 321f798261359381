import { watch as nodeWatch } from 'node:fs'
import { join } from 'node:path'
import { GeneratorError } from '../generator-error.ts'
import { statIfPresent, systemCode } from '../write/file-system.ts'

/** Watches the direct contents of one folder; returns a function that stops it. */
export type WatchFolder = (folder: string, onChange: (path: string) => void) => () => void

interface Watched {
  /** See {@link identityOf}. */
  readonly identity: string
  readonly stop: () => void
}

/** Watches a changing set of folders. */
export class FolderWatcher {
  readonly #watched = new Map<string, Watched>()
  readonly #watchFolder: WatchFolder
  readonly #onChange: (path: string) => void

  constructor(watchFolder: WatchFolder, onChange: (path: string) => void) {
    this.#watchFolder = watchFolder
    this.#onChange = onChange
  }

  /** Sets the watched folders. */
  follow(folders: ReadonlySet<string>): void {
    for (const [folder, watched] of this.#watched) {
      if (folders.has(folder) && identityOf(folder) === watched.identity) continue
      watched.stop()
      this.#watched.delete(folder)
    }
    for (const folder of folders) {
      const identity = identityOf(folder)
      if (identity === undefined || this.#watched.has(folder)) continue
      this.#watched.set(folder, { identity, stop: this.#watchFolder(folder, this.#onChange) })
    }
  }

  close(): void {
    this.follow(new Set())
  }
}

/** {@link WatchFolder} with the operating system's events. */
export const watchFolder: WatchFolder = (folder, onChange) => {
  try {
    const watcher = nodeWatch(folder, (_event, name) => {
      onChange(name === null ? folder : join(folder, name))
    })
    // The folder was deleted. Its parent, which is watched too, reports when it is created again.
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return () => {}
    const reason = error instanceof Error ? error.message : String(error)
    const fix = 'On Linux raise fs.inotify.max_user_watches; or run `callsheet generate` without --watch.'
    throw new GeneratorError('cannot_read', [{ message: `Cannot watch ${folder}: ${reason}.`, fix }], error)
  }
}

/**
 * Identifies a folder: one that was deleted and created again has to be watched anew. It may get the number of the deleted one,
 * which ext4 hands out again at once.
 */
function identityOf(folder: string): string | undefined {
  const stat = statIfPresent(folder)
  return stat && `${stat.ino} ${stat.birthtimeMs}`
}
