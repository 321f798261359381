import { definitionRef } from '../json/definition-reference.ts'
import { isJsonObject } from '../json/json.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'

/**
 * Makes definitions of parts that say `$schema`, as what `z.toJSONSchema` returns does: their references begin at
 * themselves, and not at the Tool that they were put into.
 */
export function withEmbeddedDocuments(root: JsonSchema): JsonSchema {
  const definitions: Record<string, Schema> = { ...root.$defs }
  const define = (wanted: string): string => {
    let name = wanted
    for (let count = 2; Object.hasOwn(definitions, name); count++) name = `${wanted}${count}`
    definitions[name] = true
    return name
  }
  const moved = (document: JsonSchema, key: string | undefined): Schema => {
    const { $schema, $defs, definitions: older, ...rest } = document
    const self = define(key ?? 'Part')
    const own = Object.entries({ ...(isJsonObject(older) && older), ...$defs }).map(([name, schema]) => ({
      name,
      schema,
      as: define(name),
    }))
    const begins = (reference: string): string => {
      for (const { name, as } of own)
        for (const place of ['$defs', 'definitions']) {
          const start = `#/${place}/${pointerSegment(name)}`
          if (reference === start || reference.startsWith(`${start}/`))
            return definitionRef(as) + reference.slice(start.length)
        }
      return definitionRef(self) + reference.slice(1)
    }
    const within = (schema: Schema, name?: string): Schema => {
      if (!isJsonObject(schema)) return schema
      if (typeof schema.$schema === 'string') return moved(schema, name)
      const copy = mapChildSchemas(schema, (child, _keyword, key) => within(child, key))
      return copy.$ref?.startsWith('#') ? { ...copy, $ref: begins(copy.$ref) } : copy
    }
    definitions[self] = within(rest)
    for (const { schema, as } of own) definitions[as] = within(schema as Schema)
    return { $ref: definitionRef(self) }
  }
  const outside = (schema: Schema, key?: string): Schema => {
    if (!isJsonObject(schema)) return schema
    return typeof schema.$schema === 'string' && refersToItself(schema)
      ? moved(schema, key)
      : mapChildSchemas(schema, (child, _keyword, name) => outside(child, name))
  }
  const written = mapChildSchemas(root, (child, _keyword, key) => outside(child, key))
  return Object.keys(definitions).length === 0
    ? written
    : { ...written, $defs: { ...definitions, ...written.$defs } }
}

function refersToItself(document: JsonSchema): boolean {
  return JSON.stringify(document).includes('"$ref":"#')
}
