import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'

const branchPath = /^\/properties\/calls\/items\/anyOf\/(\d+)(?:\/|$)/

/** Returns the Tool name of each branch of a composed schema; empty for any other schema. */
export function composedTools(schema: JsonSchema): (string | undefined)[] {
  return composedBranches(schema).map((branch) =>
    typeof branch === 'boolean' ? undefined : toolName(branch),
  )
}

/** Returns the branches of a composed schema, declared or lowered. */
export function composedBranches(schema: JsonSchema): Schema[] {
  const calls = schema.properties?.calls
  const items = isJsonObject(calls) ? calls.items : undefined
  return isJsonObject(items) && Array.isArray(items.anyOf) ? items.anyOf : []
}

/** Returns the name in a Tool's schema. */
export function toolName(schema: JsonSchema): string | undefined {
  const tag = schema.properties?._tool
  const name = isJsonObject(tag)
    ? (tag.const ?? (Array.isArray(tag.enum) ? tag.enum[0] : undefined))
    : undefined
  return typeof name === 'string' ? name : undefined
}

/** Returns the Tool whose branch contains a JSON pointer into a composed schema. */
export function toolAt(pointer: string, tools: readonly (string | undefined)[]): string | undefined {
  const match = branchPath.exec(pointer)
  return match ? tools[Number(match[1])] : undefined
}
