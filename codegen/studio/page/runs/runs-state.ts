import { type Signal, signal } from '@preact/signals'
import type { RunLine, RunView, StepLine } from '../../wire/runs.ts'
import { follow, post } from '../ask.ts'

/** The runs of the folder, as they are now; undefined until they were listed. */
export const runs: Signal<readonly RunLine[] | undefined> = signal(undefined)
/** Why the folder is not followed any more. */
export const watchFailure: Signal<string | undefined> = signal(undefined)
/** Counts up whenever something in the folder has changed. */
export const changes: Signal<number> = signal(0)

let isWatching = false

/** Follows the folder from now on. */
export async function watchRuns(): Promise<void> {
  if (isWatching) return
  isWatching = true
  try {
    await follow('runs/watch', {}, (_, list) => {
      runs.value = list as RunLine[]
      changes.value++
    })
    watchFailure.value = 'The studio has ended.'
  } catch (error) {
    watchFailure.value = (error as Error).message
  }
  isWatching = false
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
