import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import type { ToolSchema } from './schema.ts'

/** The examples of a Tool as its Calls, `_tool` first; what could be no Call of it is left out, as generation refuses it. */
export function toolExamples(name: string, { examples }: Pick<ToolSchema, 'examples'>): JsonObject[] {
  if (!Array.isArray(examples)) return []
  return examples.flatMap((example: unknown) => {
    if (!isJsonObject(example)) return []
    const named = own(example, '_tool')
    return named === undefined || named === name ? [{ _tool: name, ...example }] : []
  })
}
