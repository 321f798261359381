import { nextId } from './next-id.ts'
import type { RegistryState } from './registry-state.ts'
import type { RunOptions } from './run-options.ts'

/**
 * One run of a Call: its registry, its options and its id. A Call that replaces it keeps the run. The id and the times
 * are created only if somebody sees them: an id and two reads of the clock cost as much as checking a small Call.
 */
export class CallRun {
  readonly state: RegistryState
  readonly options: RunOptions
  /** True if somebody sees the Outcome: it then needs a copy of the unresolved Call, an id and times. */
  readonly isRecorded: boolean
  /** Milliseconds since the epoch; 0 if the run is not recorded. */
  readonly startedAt: number
  #id: string | undefined

  constructor(
    state: RegistryState,
    options: RunOptions,
    isRecorded: boolean = true,
    startedAt: number = isRecorded ? Date.now() : 0,
  ) {
    this.state = state
    this.options = options
    this.isRecorded = isRecorded
    this.startedAt = startedAt
    this.#id = options.id
  }

  get id(): string {
    this.#id ??= nextId()
    return this.#id
  }

  /** Returns the same run, with the same id, under other options. */
  withOptions(options: RunOptions): CallRun {
    return new CallRun(this.state, { ...options, id: this.id }, this.isRecorded, this.startedAt)
  }
}
