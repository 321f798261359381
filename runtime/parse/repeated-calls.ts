/**
 * Recognises a tool call that a server says twice with all that it has, its id too: one Call, which must not run twice. Equal ids of
 * different calls say nothing, since some servers give all calls of an answer one id.
 */
export class RepeatedCalls {
  readonly #seen = new Set<string>()

  /** True if a call with this id and the same parts was asked about before. */
  isRepeated(id: unknown, ...parts: readonly unknown[]): boolean {
    if (!isId(id)) return false
    try {
      return this.#seen.size === this.#seen.add(JSON.stringify([id, parts])).size
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
