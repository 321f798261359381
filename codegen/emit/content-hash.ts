import { createHash } from 'node:crypto'
import { canonicalJson } from '../../runtime/json/canonical-json.ts'
import { definitionName } from '../../runtime/json/definition-reference.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { ToolModel } from '../model.ts'

/** Hex digits kept: 64 bits, far beyond chance for any number of Tools, and short in a diff. */
const digits = 16

/**
 * What a Tool means, as a short hash: its schema and the shared schemas that it reaches. It stays the same when keys
 * are merely reordered or another Tool changes.
 */
export function contentHash(tool: ToolModel, definitions: Readonly<Record<string, JsonSchema>>): string {
  const reached = reachedDefinitions(tool.schema, definitions)
  const text = canonicalJson({ schema: tool.schema, definitions: reached })
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}

/** The shared schemas that a schema refers to, directly or through one another. */
function reachedDefinitions(
  schema: unknown,
  definitions: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  const reached = new Map<string, JsonSchema>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isJsonObject(value)) return
    const name = definitionName(value.$ref)
    if (name !== undefined && !reached.has(name) && Object.hasOwn(definitions, name)) {
      const definition = definitions[name]
      if (definition) {
        reached.set(name, definition)
        visit(definition)
      }
    }
    Object.values(value).forEach(visit)
  }
  visit(schema)
  return Object.fromEntries(reached)
}
