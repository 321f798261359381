import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

const branchPath = /^\/properties\/calls\/items\/anyOf\/(\d+)(?:\/|$)/

/** The names of the Tools of a composed schema, branch by branch; none for any other schema. */
export function composedTools(schema: JsonSchema): (string | undefined)[] {
  return composedBranches(schema).map((branch) =>
    typeof branch === 'boolean' ? undefined : toolName(branch),
  )
}

/** The branches of a composed schema, declared or lowered. */
export function composedBranches(schema: JsonSchema): Schema[] {
  const calls = schema.properties?.calls
  const items = isJsonObject(calls) ? calls.items : undefined
  return isJsonObject(items) && Array.isArray(items.anyOf) ? items.anyOf : []
}

/** The name that a Tool's schema fixes. */
export function toolName(schema: JsonSchema): string | undefined {
  const tag = schema.properties?._tool
  const name = isJsonObject(tag)
    ? (tag.const ?? (Array.isArray(tag.enum) ? tag.enum[0] : undefined))
    : undefined
  return typeof name === 'string' ? name : undefined
}

/** The Tool in whose branch a place of a composed schema is. */
export function toolAt(pointer: string, tools: readonly (string | undefined)[]): string | undefined {
  const match = branchPath.exec(pointer)
  return match ? tools[Number(match[1])] : undefined
}
