import { warnOnce } from '../../problems/warn-once.ts'
import { RequestError } from '../transport/request-error.ts'

/** The limits of a run, which its delegates share (REQ-12). */
export interface AgentLimits {
  /** Most Requests of the loop, including those of delegates. Default: 20. */
  readonly maxTurns?: number | undefined
  /** Most Calls, including those of delegates. Default: 200. */
  readonly maxCalls?: number | undefined
  /** Most input and output tokens: of all Requests, and those that Activities report by `run.spend`. Default: no limit. */
  readonly maxTokens?: number | undefined
  /** Longest run, in milliseconds. Default: no limit. */
  readonly maxTime?: number | undefined
}

/** The limits of a run with their defaults, since a model might never stop. */
export function limitsOf({ maxTurns = 20, maxCalls = 200, maxTokens }: AgentLimits): AgentLimits {
  return { maxTurns, maxCalls, maxTokens }
}

/** What a run has spent. */
export interface Spent {
  readonly turns: number
  readonly calls: number
  readonly tokens: number
}

/** Counts what a run spends, also on the meters of its outer runs. */
export class Meter {
  readonly #limits: AgentLimits
  readonly #parent: Meter | undefined
  #spent: Spent = { turns: 0, calls: 0, tokens: 0 }

  constructor(limits: AgentLimits, parent?: Meter) {
    this.#limits = limits
    this.#parent = parent
  }

  /** Creates the meter of a nested run, which counts here too. */
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

  /** Warns, once per process, that a server reports no tokens although a token limit is set. */
  warnUncounted(): void {
    const { maxTokens } = this.#limits
    if (maxTokens === undefined) {
      this.#parent?.warnUncounted()
      return
    }
    warnOnce(
      'CALLSHEET_UNCOUNTED',
      'tokens',
      `The server reports no token counts, so \`maxTokens: ${maxTokens}\` has no effect. Limit the run by \`maxTurns\` or \`maxTime\`.`,
    )
  }

  /** @throws RequestError `limit_reached` if the next spending would exceed a limit. */
  require(wanted: Partial<Spent>): void {
    const shortage = this.shortage(wanted)
    if (shortage) throw shortage
  }

  /** Returns the error of the limit that the next spending would exceed; undefined if there is none. */
  shortage(wanted: Partial<Spent>): RequestError | undefined {
    const { maxTurns, maxCalls, maxTokens } = this.#limits
    const { turns, calls, tokens } = this.#spent
    const over = (name: string, spent: number, more: number, most: number): RequestError | undefined =>
      spent + more > most ? limitReached(name, most, spent, more) : undefined
    const own =
      (maxTurns !== undefined && wanted.turns && over('maxTurns', turns, wanted.turns, maxTurns)) ||
      (maxCalls !== undefined && wanted.calls && over('maxCalls', calls, wanted.calls, maxCalls)) ||
      // The cost of an answer is not known in advance, so the limit stops the Request after the one that exceeds it.
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
