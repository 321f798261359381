import type { CompositionOptions } from '../compose/composition.ts'
import type { RankTools, SearchIndex } from '../find/find-tools.ts'
import type { ActivityRegistry } from '../tools/activity-registry.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import type { Emitter } from './events.ts'
import type { RegistrySurface } from './registry-surface.ts'
import type { GroupOptions, RunOptions } from './run-options.ts'

/** The state of one registry; `Tool` and `Activity` are two views of it. */
export interface RegistryState {
  readonly tools: ToolRegistry
  readonly activities: ActivityRegistry
  readonly events: Emitter
  /** Stored Requests by name, for `_delegate` (REQ-12). */
  readonly ideas: Map<string, IdeaData>
  /** Names of Tools for which `activity:latent` was emitted, or its warning printed. */
  readonly reportedLatent: Set<string>
  readonly defaults: GroupOptions
  /** The custom ranking of `Tool.find`, and the function that loads the generated index. */
  readonly finding: { readonly rank?: RankTools; readonly search?: () => Promise<SearchIndex> }
  /** How the Tools are composed (REQ-14). */
  readonly compose?: CompositionOptions | undefined
  readonly surface: RegistrySurface
}

/**
 * A registered symbol, since a project may load two copies of the package: one creates the registry, the other reads
 * its state.
 */
const registryOf = Symbol.for('callsheet.registry')

interface StateProperty {
  /** The `Tool` that the state was attached to, to tell it from an object that inherits from it or wraps it. */
  readonly tool: object
  readonly state: RegistryState
}

/** Attaches a registry's state to its `Tool`, for agents, servers and engines that are passed the `Tool` alone. */
export function attachState(tool: object, state: RegistryState): void {
  Object.defineProperty(tool, registryOf, { value: { tool, state } satisfies StateProperty })
}

/** Returns the state of the registry of a `Tool`; undefined for a wrapper, a proxy or any other object. */
export function stateBehind(tool: object): RegistryState | undefined {
  const attached = (tool as { readonly [registryOf]?: StateProperty })[registryOf]
  return attached?.tool === tool ? attached.state : undefined
}

/** Returns the option `references` of a run, or its registry's default. */
export function referencesOf(
  tool: object,
  run: Pick<RunOptions, 'references'> = {},
): RunOptions['references'] {
  return run.references ?? stateBehind(tool)?.defaults.references
}

/** Returns the option `timeout` of a run, or its registry's default. */
export function timeoutOf(tool: object, run: Pick<RunOptions, 'timeout'> = {}): number | undefined {
  return run.timeout ?? stateBehind(tool)?.defaults.timeout
}

/** Returns the concurrency limit of a group: the requested one, but no more than the registry's default. */
export function concurrencyOf(tool: object, requested: number = Number.POSITIVE_INFINITY): number {
  return Math.min(requested, stateBehind(tool)?.defaults.concurrency ?? requested)
}
