import type { Exchange } from '../request/exchange.ts'
import type { NativeAnswer } from '../request/request.ts'

/** The native tool call that a planned Call came from. */
export interface ToolCallPlace {
  readonly exchange: number
  readonly id: string
}

/** Records the model's turns with native tools, and the Messages that resulted from each of their calls. */
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
   * @param at Number of Messages in the context before it.
   * @returns A function from an id to the place of its call; undefined if tool results are not possible, since an id is missing or
   * repeated.
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

  /**
   * Records the Messages that resulted from a call. After the next answer they are ordinary Messages: the call's result
   * was "waiting".
   */
  settle({ exchange, id }: ToolCallPlace, from: number, to: number): void {
    const known = this.#exchanges[exchange]
    if (!known || exchange < this.#exchanges.length - 1) return
    const results = known.results.map((result) => (result.id === id ? { id, from, to } : result))
    this.#exchanges[exchange] = { ...known, results }
  }
}
