import { isJsonObject, own } from '../json/json.ts'

/** Returns the name in a schema's `_tool` literal; undefined if there is none. */
export function declaredToolName(schema: unknown): string | undefined {
  const properties = isJsonObject(schema) ? own(schema, 'properties') : undefined
  const tag = isJsonObject(properties) ? own(properties, '_tool') : undefined
  const name = isJsonObject(tag) ? own(tag, 'const') : undefined
  return typeof name === 'string' ? name : undefined
}
