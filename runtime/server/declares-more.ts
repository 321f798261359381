import { allEffects } from '../schema/effects.ts'
import type { ToolSchema } from '../schema/schema.ts'

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
