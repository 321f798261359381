import { nextId } from './next-id.ts'
import type { RegistryState } from './registry-state.ts'
import type { RunOptions } from './run-options.ts'

/**
 * One run of a Call: in which registry, by which options, and under which id, whatever Call takes its place. What nobody
 * looks at is not made: an id and two looks at the clock cost as much as the checks of a small Call.
 */
export class CallRun {
  readonly state: RegistryState
  readonly options: RunOptions
  /** Somebody sees the Call in its Outcome, so that a copy of it is kept as it came, and its times are taken. */
  readonly isRecorded: boolean
  /** Milliseconds since the epoch; 0 where nobody sees it. */
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

  /** The same run by other options. */
  withOptions(options: RunOptions): CallRun {
    return new CallRun(this.state, { ...options, id: this.id }, this.isRecorded, this.startedAt)
  }
}
