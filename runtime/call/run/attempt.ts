import type { ActivityRun } from '../../tools/activity.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { CallLimits } from '../controls/call-limits.ts'
import { Cancellation } from '../controls/cancellation.ts'
import type { Emitter } from '../events.ts'

/** What counts the tokens of all attempts. */
export interface Purse {
  spend(told: Partial<TokenUsage>): void
}

/** What one attempt is told. The signal costs nothing until the Activity looks at it. */
export class Attempt implements ActivityRun {
  readonly attempt: number
  readonly id: string
  readonly #tool: string
  readonly #events: Emitter
  readonly #purse: Purse
  #limits: { readonly signal: AbortSignal } | undefined

  constructor(
    id: string,
    attempt: number,
    tool: string,
    events: Emitter,
    purse: Purse,
    limits: CallLimits | undefined,
  ) {
    this.id = id
    this.attempt = attempt
    this.#tool = tool
    this.#events = events
    this.#limits = limits
    this.#purse = purse
  }

  get signal(): AbortSignal {
    this.#limits ??= new Cancellation()
    return this.#limits.signal
  }

  /** Made when it is asked for, and bound: Activities take it out of their fourth parameter by name. */
  get emit(): (data: unknown) => void {
    return (data) =>
      this.#events.emit('activity:progress', { id: this.id, tool: this.#tool, attempt: this.attempt, data })
  }

  get spend(): ActivityRun['spend'] {
    return (told) => this.#purse.spend(told)
  }
}
