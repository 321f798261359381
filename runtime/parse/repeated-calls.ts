import { jsonOr } from '../json/json-or.ts'

/**
 * Recognises a tool call that a server says twice with all that it has, its id too: one Call, which must not run twice. Equal ids of
 * different calls say nothing, since some servers give all calls of an answer one id.
 */
export class RepeatedCalls {
  readonly #seen = new Set<string>()

  /**
   * True if the same call was asked about before.
   *
   * @param given Its arguments; as JSON text they may be written in another way.
   */
  isRepeated(id: unknown, given: unknown, ...parts: readonly unknown[]): boolean {
    if (!isId(id)) return false
    try {
      const meant = typeof given === 'string' ? jsonOr(given, given) : given
      return this.#seen.size === this.#seen.add(JSON.stringify([id, meant, parts])).size
    } catch {
      // Nested too deep to be written, and refused as that later.
      return false
    }
  }
}

/** True for an id that can tell calls apart. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}
