import { isJsonObject } from '../json/json.ts'
import type { JsonSchema } from '../schema/schema.ts'

/** True for `false` as located schemas spell it, and as TypeBox does: `{ not: {} }`. */
export function isImpossible({ not }: JsonSchema): boolean {
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0)
}
