import { setTimeout as sleep } from 'node:timers/promises'
import { type GenerateOptions, generate } from '../generate.ts'
import type { Report } from '../report/report.ts'
import { FolderWatcher, type WatchFolder, watchFolder } from './folder-watcher.ts'
import { changedSince, isRelevant, type WatchScope, watchScope } from './scope.ts'
import { SeenFiles } from './seen-files.ts'

/** The result of one round of watching: a report, or the error that prevented it (a broken configuration, a full disk). */
export type Round = { readonly report: Report } | { readonly error: unknown }

/** How to watch. */
export interface WatchOptions extends GenerateOptions {
  /** Ends the watching. */
  readonly signal: AbortSignal
  /** Called after every round, including the first, with the files that caused it. */
  readonly onRound: (round: Round, changed: readonly string[], milliseconds: number) => void
  /** Quiet time after a change before a round starts, in milliseconds: editors save in several steps. Default: 50. */
  readonly debounce?: number | undefined
}

/** The parts that tests replace. */
export interface WatchMachinery {
  readonly generate: (options: GenerateOptions) => Promise<Report>
  readonly watchFolder: WatchFolder
}

/**
 * Generates, and again on every change of the configuration, of a definition or of anything that they import, until the
 * signal is aborted. Reports broken definitions and configurations and continues watching. Of changes of the output,
 * only a deleted folder counts.
 */
export async function watch(
  options: WatchOptions,
  machinery: WatchMachinery = { generate, watchFolder },
): Promise<void> {
  const { signal, onRound, debounce = 50, ...generateOptions } = options
  const changed = new Set<string>()
  let scope: WatchScope = watchScope(generateOptions, undefined, undefined)
  let wake: () => void = () => {}
  const watcher = new FolderWatcher(machinery.watchFolder, (path) => {
    if (!isRelevant(path, scope)) return
    changed.add(path)
    wake()
  })
  const stop = (): void => wake()
  signal.addEventListener('abort', stop)
  try {
    let causes: string[] = []
    while (!signal.aborted) {
      // Watch before the round, so that changes during it are noticed.
      watcher.follow(scope.folders)
      const startedAt = Date.now()
      const before = new SeenFiles(scope)
      const round = await oneRound(generateOptions, machinery)
      scope = watchScope(generateOptions, 'report' in round ? round.report : undefined, scope)
      watcher.follow(scope.folders)
      if (signal.aborted) return
      onRound(round, causes, Date.now() - startedAt)

      // The round may have read files before or after they changed. A file that it read for the first time may have changed
      // before it was watched.
      const seen = new SeenFiles(scope)
      causes = [...new Set([...before.changed(changed), ...changedSince(scope, startedAt)])]
      changed.clear()
      while (causes.length === 0 && !signal.aborted) {
        if (changed.size === 0) {
          await new Promise<void>((awake) => {
            wake = awake
          })
        }
        await quiet(changed, debounce, signal)
        // A folder that was absent may be there now.
        watcher.follow(scope.folders)
        causes = seen.changed(changed)
        changed.clear()
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
    watcher.close()
  }
}

async function oneRound(options: GenerateOptions, machinery: WatchMachinery): Promise<Round> {
  try {
    return { report: await machinery.generate({ ...options, cache: false }) }
  } catch (error) {
    return { error }
  }
}

/** Waits until no further change arrives. */
async function quiet(changed: ReadonlySet<string>, debounce: number, signal: AbortSignal): Promise<void> {
  for (let seen = -1; seen !== changed.size && !signal.aborted; ) {
    seen = changed.size
    await sleep(debounce)
  }
}
