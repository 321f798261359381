import type { Exchange } from '../request/exchange.ts'
import type { NativeAnswer } from '../request/request.ts'

/** Which call of which answer a planned Call came from. */
export interface ToolCallPlace {
  readonly exchange: number
  readonly id: string
}

/** Keeps what the model said through the provider's own tools, and which Messages came of each of its calls. */
export class ExchangeLog {
  readonly #exchanges: Exchange[]

  constructor(exchanges: readonly Exchange[] = []) {
    this.#exchanges = [...exchanges]
  }

  get list(): readonly Exchange[] {
    return this.#exchanges
  }

  /**
   * Adds an answer.
   *
   * @param at How many Messages the context had before it.
   * @returns The place of each of its ids; undefined where it cannot be answered with tool results, since it gave none,
   * or one twice.
   */
  add(
    native: NativeAnswer | undefined,
    at: number,
  ): ((id: string | undefined) => ToolCallPlace | undefined) | undefined {
    if (!native) return undefined
    const given = [...native.ids, ...native.rejectedIds]
    const ids = given.filter((id) => id !== undefined)
    if (ids.length === 0 || ids.length < given.length || new Set(ids).size < ids.length) return undefined
    const exchange = this.#exchanges.length
    this.#exchanges.push({ at, said: native.said, results: ids.map((id) => ({ id, from: at, to: at })) })
    return (id) => (id === undefined ? undefined : { exchange, id })
  }

  /** Says which Messages came of a call. After the next answer they stand where they are: the model has been told to wait. */
  settle({ exchange, id }: ToolCallPlace, from: number, to: number): void {
    const known = this.#exchanges[exchange]
    if (!known || exchange < this.#exchanges.length - 1) return
    const results = known.results.map((result) => (result.id === id ? { id, from, to } : result))
    this.#exchanges[exchange] = { ...known, results }
  }
}
