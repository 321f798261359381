import type { Effects, ToolSchema } from './schema.ts'

/** Every value of a Tool's `effects`. */
export const allEffects: readonly string[] = ['read', 'idempotent', 'write'] satisfies Effects[]

/**
 * True if running a Call twice has the same effect as running it once, so that it may be retried, started early or abandoned.
 * False if the Tool does not declare its effects (TOOL-9).
 */
export function isRepeatable(effects: unknown): boolean {
  return effects === 'read' || effects === 'idempotent'
}

/**
 * True if a Tool here has more effects than its caller knows of, who may have left out an approval, started it early or repeated it.
 * Contracts do not include effects.
 *
 * @param known What the caller says; a caller of an earlier version says nothing.
 */
export function declaresMore({ effects = 'write' }: Pick<ToolSchema, 'effects'>, known: unknown): boolean {
  const place = allEffects.indexOf(known as string)
  return place >= 0 && allEffects.indexOf(effects) > place
}
