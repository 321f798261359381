import type { Effects } from './schema.ts'

/** Every value of a Tool's `effects`. */
export const allEffects: readonly string[] = ['read', 'idempotent', 'write'] satisfies Effects[]

/**
 * True if running a Call twice has the same effect as running it once, so that it may be retried, started early or abandoned.
 * False if the Tool does not declare its effects (TOOL-9).
 */
export function isRepeatable(effects: unknown): boolean {
  return effects === 'read' || effects === 'idempotent'
}
