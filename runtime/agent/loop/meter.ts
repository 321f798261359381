import { warnOnce } from '../../problems/warn-once.ts'
import { RequestError } from '../transport/request-error.ts'

/** What a run may spend. A delegate's run spends from the same purse (REQ-12). */
export interface AgentLimits {
  /** Requests of the loop, those of delegates included; 20 by default. */
  readonly maxTurns?: number | undefined
  /** Calls, those of delegates included; 200 by default. */
  readonly maxCalls?: number | undefined
  /** Tokens in and out, of every Request; no limit by default. */
  readonly maxTokens?: number | undefined
  /** Milliseconds from the start; no limit by default. */
  readonly maxTime?: number | undefined
}

/** The limits of a run, those that nobody said included: a model can go on for ever. */
export function limitsOf({ maxTurns = 20, maxCalls = 200, maxTokens }: AgentLimits): AgentLimits {
  return { maxTurns, maxCalls, maxTokens }
}

/** What has been spent. */
export interface Spent {
  readonly turns: number
  readonly calls: number
  readonly tokens: number
}

/** Counts what a run spends, and tells those it is part of. */
export class Meter {
  readonly #limits: AgentLimits
  readonly #parent: Meter | undefined
  #spent: Spent = { turns: 0, calls: 0, tokens: 0 }

  constructor(limits: AgentLimits, parent?: Meter) {
    this.#limits = limits
    this.#parent = parent
  }

  /** A meter of a part, which counts here as well. */
  part(): Meter {
    return new Meter({}, this)
  }

  get spent(): Spent {
    return this.#spent
  }

  add({ turns = 0, calls = 0, tokens = 0 }: Partial<Spent>): void {
    const spent = this.#spent
    this.#spent = { turns: spent.turns + turns, calls: spent.calls + calls, tokens: spent.tokens + tokens }
    this.#parent?.add({ turns, calls, tokens })
  }

  /** Says once in a process that a server counts no tokens, where a limit of them is meant to hold. */
  tellUncounted(): void {
    const { maxTokens } = this.#limits
    if (maxTokens === undefined) {
      this.#parent?.tellUncounted()
      return
    }
    warnOnce(
      'CALLSHEET_UNCOUNTED',
      'tokens',
      `The server tells no tokens of its answers, so that \`maxTokens: ${maxTokens}\` bounds nothing. Bound the run by \`maxTurns\` or \`maxTime\`.`,
    )
  }

  /** @throws RequestError `limit_reached` where there is no room for what is about to be spent. */
  require(wanted: Partial<Spent>): void {
    const shortage = this.shortage(wanted)
    if (shortage) throw shortage
  }

  /** Which limit leaves no room for what is about to be spent; undefined when there is room. */
  shortage(wanted: Partial<Spent>): RequestError | undefined {
    const { maxTurns, maxCalls, maxTokens } = this.#limits
    const { turns, calls, tokens } = this.#spent
    const over = (name: string, spent: number, more: number, most: number): RequestError | undefined =>
      spent + more > most ? limitReached(name, most, spent, more) : undefined
    const own =
      (maxTurns !== undefined && wanted.turns && over('maxTurns', turns, wanted.turns, maxTurns)) ||
      (maxCalls !== undefined && wanted.calls && over('maxCalls', calls, wanted.calls, maxCalls)) ||
      // What an answer will cost is not known before: the next Request is the one too many.
      (maxTokens !== undefined && wanted.turns && over('maxTokens', tokens, 1, maxTokens))
    return own || this.#parent?.shortage(wanted)
  }
}

function limitReached(name: string, most: number, spent: number, more: number): RequestError {
  return new RequestError(
    'limit_reached',
    `The run is at its limit ${name} of ${most}: ${spent} spent, and ${name === 'maxTokens' ? 'another Request' : `${more} more`} would be needed.`,
  )
}
