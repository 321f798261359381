import { isJsonObject } from '../json/json.ts'
import type { JsonSchema } from '../schema/schema.ts'

/** True for `{ not: {} }`, which is how located schemas and TypeBox write `false`. */
export function isImpossible({ not }: JsonSchema): boolean {
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0)
}
