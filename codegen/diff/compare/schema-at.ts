import { definitionName } from '../../../runtime/json/definition-reference.ts'
import { own } from '../../../runtime/json/json.ts'
import { pointerSegment } from '../../../runtime/json/json-pointer.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Location } from '../containment/prover.ts'

/** A part of a schema, and whether its parent requires it. */
export interface SchemaPart {
  readonly schema: Schema
  readonly isRequired: boolean
}

/** Returns the part of a schema for a location in its values; undefined if nothing is declared for it. */
export function schemaAt(root: JsonSchema, location: Location): SchemaPart | undefined {
  let part: SchemaPart = { schema: root, isRequired: true }
  for (const token of location) {
    const next = childOf(part.schema, token, root.$defs ?? {}, 0)
    if (!next) return undefined
    part = next
  }
  return part
}

/** Finds the schema of a child, through references, unions and intersections. */
function childOf(
  schema: Schema,
  token: string,
  definitions: Readonly<Record<string, Schema>>,
  depth: number,
): SchemaPart | undefined {
  if (typeof schema === 'boolean' || depth > 20) return undefined
  const { properties = {}, required = [], items, prefixItems = [], additionalProperties } = schema
  const named = own(properties, token) as Schema | undefined
  if (named !== undefined)
    return named === false ? undefined : { schema: named, isRequired: required.includes(token) }
  const index = prefixItems[Number(token)]
  if (/^\d+$/.test(token) && index !== undefined) return { schema: index, isRequired: true }
  if ((token === '*' || /^\d+$/.test(token)) && items !== undefined && !Array.isArray(items))
    return { schema: items, isRequired: true }
  if (token === '*' && additionalProperties !== undefined && additionalProperties !== false)
    return { schema: additionalProperties, isRequired: false }
  const target = definitions[definitionName(schema.$ref) ?? '']
  const others = [
    ...(target === undefined ? [] : [target]),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ]
  for (const other of others) {
    const found = childOf(other, token, definitions, depth + 1)
    if (found) return found
  }
  return undefined
}

/** Converts a location in values to a JSON pointer into the schema, for finding its source position. */
export function schemaPointer(location: Location): string {
  return location
    .map((token) =>
      token === '*' || /^\d+$/.test(token) ? '/items' : `/properties/${pointerSegment(token)}`,
    )
    .join('')
}
