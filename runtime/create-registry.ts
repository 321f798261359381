import { isJsonObject } from './json/json.ts'
import { apisOf, type Registry, type RegistryOptions, stateOf } from './registry/registry.ts'
import type { ActivityApi, ToolApi } from './registry/registry-api.ts'
import { declaredToolName } from './schema/declared-tool-name.ts'
import { surface } from './surface.ts'

/**
 * Makes a registry by hand; `generated/` does the same with types (ACT-1).
 *
 * @throws CallsheetError `unsupported_schema` when a Tool's schema cannot be registered.
 * @example
 * const { Tool, Activity } = createRegistry({ tools: { weatherCheck } })
 * Activity.register('weatherCheck', async (call) => ({ temperature: 21 }))
 * await Tool({ _tool: 'weatherCheck', location: 'Oslo' })
 */
export function createRegistry<Tool = ToolApi, Activity = ActivityApi>(
  options: RegistryOptions = {},
): Registry<Tool, Activity> {
  const { tools = {}, ideas = {}, ...defaults } = options
  const state = stateOf(surface, defaults)
  for (const [key, declared] of Object.entries(tools)) {
    for (const [name, schema] of namedTools(key, declared)) state.surface.register(name, schema)
  }
  for (const [name, idea] of Object.entries(ideas)) state.surface.addIdea(name, idea)
  return apisOf(state)
}

/** Keys of a map of definitions are export names; a Tool's own name is its `_tool`. A toolkit is a map of Tools. */
function namedTools(key: string, declared: object): [name: string, schema: object][] {
  const name = declaredToolName(declared)
  if (name !== undefined) return [[name, declared]]
  const members = isJsonObject(declared) ? Object.values(declared) : []
  const names = members.map(declaredToolName)
  if (names.length === 0 || names.includes(undefined)) return [[key, declared]]
  return members.map((member, index) => [names[index] as string, member as object])
}
