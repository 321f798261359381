import { nextId } from '../next-id.ts'

/**
 * Identifies an accepted Call, whatever Call takes its place. What nobody looks at is not made: an id and two looks at the
 * clock cost as much as the checks of a small Call.
 */
export class Identity {
  /** Somebody sees the Call in its Outcome, so that a copy of it is kept as it came, and its times are taken. */
  readonly isRecorded: boolean
  /** Milliseconds since the epoch; 0 where nobody sees it. */
  readonly startedAt: number
  #id: string | undefined

  constructor(id: string | undefined, isRecorded: boolean) {
    this.#id = id
    this.isRecorded = isRecorded
    this.startedAt = isRecorded ? Date.now() : 0
  }

  get id(): string {
    this.#id ??= nextId()
    return this.#id
  }
}
