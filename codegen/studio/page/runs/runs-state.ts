import { type Signal, signal } from '@preact/signals'
import type { RunLine, RunsNews, RunView, StepLine } from '../../wire/runs.ts'
import { post } from '../ask.ts'

/** The runs of the folder, as they are now; undefined until they were listed. */
export const runs: Signal<readonly RunLine[] | undefined> = signal(undefined)
/** Why the folder is not followed at the moment. */
export const watchFailure: Signal<string | undefined> = signal(undefined)
/** Counts up whenever something in the folder has changed. */
export const changes: Signal<number> = signal(0)

/** Milliseconds between two looks at the folder, and after one that failed. */
const lookEvery = 500
const tryEvery = 5_000

let isWatching = false

/**
 * Follows the folder from now on, by asking: a browser has six connections for all tabs of a studio, and streams would hold
 * them.
 */
export async function watchRuns(): Promise<void> {
  if (isWatching) return
  isWatching = true
  let version = ''
  for (;;) {
    try {
      const news = await post<RunsNews>('runs/news', { version })
      version = news.version
      watchFailure.value = undefined
      if (news.runs) {
        runs.value = news.runs
        changes.value++
      }
    } catch (error) {
      watchFailure.value = (error as Error).message
    }
    const pause = watchFailure.value === undefined ? lookEvery : tryEvery
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** The selected run, with all of its steps. */
export interface ShownRun {
  readonly view: RunView
  readonly steps: readonly StepLine[]
}

/** Loads a run, or its new steps. */
export async function readOn(id: string, known: ShownRun | undefined): Promise<ShownRun> {
  const isSame = known?.view.id === id
  const since = isSame ? known.view.version : 0
  const path = `runs/${encodeURIComponent(id)}/view`
  const view = await post<RunView>(path, { since })
  // A file that was written anew begins again.
  if (!isSame || view.version < since) {
    const whole = since === 0 ? view : await post<RunView>(path, { since: 0 })
    return { view: whole, steps: whole.steps }
  }
  if (view.steps.length === 0) return { view, steps: known.steps }
  const steps = [...known.steps]
  for (const step of view.steps) steps[step.index] = step
  return { view, steps }
}
