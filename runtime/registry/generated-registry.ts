import type { RegistryState } from '../call/registry-state.ts'
import type { RegistrySurface } from '../call/registry-surface.ts'
import type { GeneratedTool } from '../tools/tool-entry.ts'
import { apisOf, type Registry, type RegistryDefaults, stateOf } from './registry.ts'

/** Makes the registry of generated wiring: Tools with facts, texts and compiled checks. */
export function registryOf<Tool, Activity>(
  generated: Iterable<GeneratedTool>,
  surface: (state: RegistryState) => RegistrySurface,
  options: RegistryDefaults = {},
): Registry<Tool, Activity> {
  const state = stateOf(surface, options)
  for (const tool of generated) state.tools.registerGenerated(tool)
  return apisOf(state)
}
