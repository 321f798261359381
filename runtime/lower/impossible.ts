import { isJsonObject } from '../json.ts'
import type { JsonSchema } from '../schema.ts'

/** True for `false` as located schemas spell it, and as TypeBox does: `{ not: {} }`. */
export function isImpossible({ not }: JsonSchema): boolean {
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0)
}
