import type { Effects } from './schema.ts'

/** What a Tool can say that it does to the world. */
export const allEffects: readonly string[] = ['read', 'idempotent', 'write'] satisfies Effects[]

/**
 * True when doing it twice comes to the same as doing it once: such a Call may be retried, started early or broken off.
 * False where a Tool does not say what it does (TOOL-9).
 */
export function isRepeatable(effects: unknown): boolean {
  return effects === 'read' || effects === 'idempotent'
}
