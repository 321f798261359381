import type { JsonObject } from '../../json/json.ts'

/**
 * Recognises a tool call that a server says twice with all that it has, its id too: one Call, which must not run twice. Equal ids of
 * different calls say nothing, since some servers give all calls of an answer one id.
 */
export class RepeatedCalls {
  readonly #seen = new Set<string>()

  /** True if the same call was asked about before, wherever the server places it. */
  isRepeated(call: JsonObject): boolean {
    let text: string
    try {
      text = JSON.stringify({ ...call, index: undefined })
    } catch {
      // Nested too deep to be written, and refused as that later.
      return false
    }
    const isRepeated = isId(call.id) && this.#seen.has(text)
    this.#seen.add(text)
    return isRepeated
  }
}

/** True for an id that can tell calls apart. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}
