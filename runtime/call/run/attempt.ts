import { ownCopy } from '../../json/own-copy.ts'
import type { ActivityRun } from '../../tools/activity.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { Identity } from '../accept/identity.ts'
import type { CallLimits } from '../controls/call-limits.ts'
import { Cancellation } from '../controls/cancellation.ts'
import type { Emitter } from '../events.ts'

/** The Call that an attempt is one of. */
export interface AttemptedCall {
  readonly variantKey: string | undefined
  /** Counts the tokens of all attempts. */
  spend(told: Partial<TokenUsage>): void
}

/** What one attempt is told. What it does not look at costs nothing. */
export class Attempt implements ActivityRun {
  readonly attempt: number
  readonly #identity: Identity
  readonly #tool: string
  readonly #events: Emitter
  readonly #call: AttemptedCall
  #limits: { readonly signal: AbortSignal } | undefined

  constructor(
    identity: Identity,
    attempt: number,
    tool: string,
    events: Emitter,
    call: AttemptedCall,
    limits: CallLimits | undefined,
  ) {
    this.#identity = identity
    this.attempt = attempt
    this.#tool = tool
    this.#events = events
    this.#limits = limits
    this.#call = call
  }

  get id(): string {
    return this.#identity.id
  }

  get variantKey(): string | undefined {
    return this.#call.variantKey
  }

  get signal(): AbortSignal {
    this.#limits ??= new Cancellation()
    return this.#limits.signal
  }

  /** Made when it is asked for, and bound: Activities take it out of their fourth parameter by name. */
  get emit(): (data: unknown) => void {
    return (data) => {
      if (!this.#events.has('activity:progress')) return
      const told = { id: this.id, tool: this.#tool, attempt: this.attempt, data: ownCopy(data) }
      this.#events.emit('activity:progress', told)
    }
  }

  get spend(): ActivityRun['spend'] {
    return (told) => this.#call.spend(told)
  }
}
