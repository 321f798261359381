import { type Registry, type RegistryOptions, registryOf } from './registry/registry.ts'
import type { ActivityApi, ToolApi } from './registry/registry-api.ts'
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
  return registryOf<Tool, Activity>([], surface, options)
}
