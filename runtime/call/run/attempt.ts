import { ownCopy } from '../../json/own-copy.ts'
import type { ActivityRun } from '../../tools/activity.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { CallRun } from '../call-run.ts'
import type { CallLimits } from '../controls/call-limits.ts'
import { Cancellation } from '../controls/cancellation.ts'

/** The Call that an attempt is one of. */
export interface AttemptedCall {
  readonly run: CallRun
  /** The name of its Tool. */
  readonly tool: string
  /** Counts the tokens of all attempts. */
  spend(told: Partial<TokenUsage>): void
}

/** What one attempt is told. What it does not look at costs nothing. */
export class Attempt implements ActivityRun {
  readonly attempt: number
  readonly #call: AttemptedCall
  #limits: { readonly signal: AbortSignal } | undefined

  constructor(call: AttemptedCall, attempt: number, limits: CallLimits | undefined) {
    this.#call = call
    this.attempt = attempt
    this.#limits = limits
  }

  get id(): string {
    return this.#call.run.id
  }

  get variantKey(): string | undefined {
    return this.#call.run.options.variantKey
  }

  get signal(): AbortSignal {
    this.#limits ??= new Cancellation()
    return this.#limits.signal
  }

  /** Made when it is asked for, and bound: Activities take it out of their fourth parameter by name. */
  get emit(): (data: unknown) => void {
    const { events } = this.#call.run.state
    return (data) => {
      if (!events.has('activity:progress')) return
      const told = { id: this.id, tool: this.#call.tool, attempt: this.attempt, data: ownCopy(data) }
      events.emit('activity:progress', told)
    }
  }

  get spend(): ActivityRun['spend'] {
    return (told) => this.#call.spend(told)
  }
}
