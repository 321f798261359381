import type { RegistryState } from '../call/registry-state.ts'
import type { RegistrySurface } from '../call/registry-surface.ts'
import type { GeneratedTool } from '../tools/tool-entry.ts'
import { makeState, type RegistryDefaults } from './make-state.ts'
import { apisOf, type Registry } from './registry.ts'

/** Creates the registry of generated wiring. Its Tools come with facts, schemas as text and compiled checks. */
export function registryOf<Tool, Activity>(
  generated: Iterable<GeneratedTool>,
  surface: (state: RegistryState) => RegistrySurface,
  options: RegistryDefaults = {},
): Registry<Tool, Activity> {
  const state = makeState(surface, options)
  for (const tool of generated) state.tools.registerGenerated(tool)
  return apisOf(state)
}
