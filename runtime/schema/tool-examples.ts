import { isJsonObject, type JsonObject, own } from '../json/json.ts'
import type { ToolSchema } from './schema.ts'

/** Returns a Tool's `examples` as Calls, `_tool` first. Invalid ones are left out; `generate` reports them. */
export function toolExamples(name: string, { examples }: Pick<ToolSchema, 'examples'>): JsonObject[] {
  if (!Array.isArray(examples)) return []
  return examples.flatMap((example: unknown) => {
    if (!isJsonObject(example)) return []
    const named = own(example, '_tool')
    return named === undefined || named === name ? [{ _tool: name, ...example }] : []
  })
}
