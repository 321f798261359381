import { CallError } from '../errors.ts'
import type { JsonObject } from '../json/json.ts'

/** The size of data. */
export interface DataSize {
  /** How many values there are at any depth, lists and objects included. */
  values: number
  /** How many characters its strings have together. */
  characters: number
}

/** Measures JSON. */
export function sizeOf(value: unknown, size: DataSize = { values: 0, characters: 0 }): DataSize {
  size.values += 1
  if (typeof value === 'string') size.characters += value.length
  else if (Array.isArray(value)) {
    // By index: an iterator takes twice as long.
    for (let index = 0; index < value.length; index++) sizeOf(value[index], size)
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) sizeOf((value as JsonObject)[name], size)
  }
  return size
}

/**
 * Counts what Calls copy out of their context. Otherwise a few Calls that each read a list a hundred times, or many that
 * each read a long one, would fill the memory.
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
   * @throws CallError `invalid_call` if the data exceeds the limit together with what was added before; it is not added then.
   */
  add({ values, characters }: DataSize, times: number = 1): void {
    const [allValues, allCharacters] = [this.#values + values * times, this.#characters + characters * times]
    const most = this.#mostValues
    if (allValues > most || allCharacters > most * 100) {
      throw new CallError(
        'invalid_call',
        `${this.#whose} copy more than ${most} values or ${most * 100} characters out of the context: refer to less.`,
      )
    }
    this.#values = allValues
    this.#characters = allCharacters
  }

  /** Removes data that was added and is free again. */
  remove({ values, characters }: DataSize): void {
    this.#values -= values
    this.#characters -= characters
  }
}

/** Counts what one Call copies, together with what others do. */
export class CopiedByCall {
  readonly #together: CopiedData
  readonly #own: DataSize = { values: 0, characters: 0 }

  constructor(together: CopiedData) {
    this.#together = together
  }

  /** @throws CallError `invalid_call`, as {@link CopiedData.add} does. */
  add(size: DataSize, times: number = 1): void {
    this.#together.add(size, times)
    this.#own.values += size.values * times
    this.#own.characters += size.characters * times
  }

  /** Ends the Call: only as much as it has written still counts, since the rest is free again. */
  end(written: unknown): void {
    const { values, characters } = this.#own
    if (values === 0) return
    const kept = sizeOf(written)
    this.#together.remove({
      values: Math.max(0, values - kept.values),
      characters: Math.max(0, characters - kept.characters),
    })
  }
}

/** Creates the count of Calls that run together: the Calls of a group, of a plan or of an agent's run. */
export function copiedTogether(): CopiedData {
  return new CopiedData(20_000_000, 'The Calls that run together')
}
