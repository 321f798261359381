import { CallError } from '../errors.ts'

/**
 * Counts what Calls copy out of their context, in values and in characters of strings. Otherwise a few Calls that each read
 * a list a hundred times, or many that each read a long one, would fill the memory.
 */
export class CopiedData {
  readonly #mostValues: number
  readonly #whose: string
  #values = 0
  #characters = 0

  /** @param whose What copies the data, for the error. */
  constructor(mostValues: number, whose: string) {
    this.#mostValues = mostValues
    this.#whose = whose
  }

  /**
   * Adds data that is copied so many times.
   *
   * @throws CallError `invalid_call` if the data exceeds the limit together with what was added before.
   */
  add(value: unknown, times: number = 1): void {
    if (typeof value === 'string') this.#characters += value.length * times
    this.#values += times
    const most = this.#mostValues
    if (this.#values > most || this.#characters > most * 100) {
      throw new CallError(
        'invalid_call',
        `${this.#whose} copy more than ${most} values or ${most * 100} characters out of the context: refer to less.`,
      )
    }
    if (typeof value !== 'object' || value === null) return
    for (const item of Array.isArray(value) ? value : Object.values(value)) this.add(item, times)
  }
}

/** Creates the count of Calls that run together: the Calls of a group, of a plan or of an agent's run. */
export function copiedTogether(): CopiedData {
  return new CopiedData(10_000_000, 'The Calls that run together')
}
