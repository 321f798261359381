import { ownCopy } from '../../json/own-copy.ts'
import type { ActivityRun } from '../../tools/activity.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { CallRun } from '../call-run.ts'
import type { CallLimits } from '../controls/call-limits.ts'
import { Cancellation } from '../controls/cancellation.ts'

/** The Call that an attempt belongs to. */
export interface AttemptedCall {
  readonly run: CallRun
  /** The name of its Tool. */
  readonly tool: string
  /** Adds to the tokens of all attempts. */
  spend(tokens: Partial<TokenUsage>): void
}

/** The `run` argument of an Activity. Its members are created on access, so that unused ones cost nothing. */
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

  /** An arrow function created on access, so that Activities can destructure it. */
  get emit(): (data: unknown) => void {
    const { events } = this.#call.run.state
    return (data) => {
      if (!events.has('activity:progress')) return
      const { tool } = this.#call
      events.emit('activity:progress', { id: this.id, tool, attempt: this.attempt, data: ownCopy(data) })
    }
  }

  get spend(): ActivityRun['spend'] {
    return (tokens) => this.#call.spend(tokens)
  }
}
