import type { TypeName } from '../checks/scalars.ts'
import type { JsonSchema } from '../schema/schema.ts'

/** Returns the types that a schema allows; undefined for any. `nullable` adds null, as in Ajv. */
export function typesOf({ type, nullable }: JsonSchema): TypeName[] | undefined {
  if (type === undefined) return undefined
  const types = (Array.isArray(type) ? type : [type]) as TypeName[]
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types
}
