import type { CompositionOptions } from '../compose/composition.ts'
import type { RankTools, SearchIndex } from '../find/find-tools.ts'
import type { ActivityRegistry } from '../tools/activity-registry.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import type { ToolRegistry } from '../tools/tool-registry.ts'
import type { Emitter } from './events.ts'
import type { RegistrySurface } from './registry-surface.ts'
import type { GroupOptions, RunOptions } from './run-options.ts'

/** What one registry knows; `Tool` and `Activity` are two views of it. */
export interface RegistryState {
  readonly tools: ToolRegistry
  readonly activities: ActivityRegistry
  readonly events: Emitter
  /** Stored Requests by name, for `_delegate` (REQ-12). */
  readonly ideas: Map<string, IdeaData>
  /** Tools whose latent Calls somebody has been told of. */
  readonly toldLatent: Set<string>
  readonly defaults: GroupOptions
  /** How `Tool.find` ranks, and where the generated index comes from. */
  readonly finding: { readonly rank?: RankTools; readonly search?: () => Promise<SearchIndex> }
  /** How the Tools are composed (REQ-14). */
  readonly compose?: CompositionOptions | undefined
  readonly surface: RegistrySurface
}

/** The name is one for all copies of the package: a project may hold two, of which one made the registry and the other asks. */
const registryOf = Symbol.for('callsheet.registry')

interface Kept {
  readonly tool: object
  readonly state: RegistryState
}

/** Keeps what a registry knows with its `Tool`, for what runs its Calls as part of an agent or elsewhere. */
export function keepState(tool: object, state: RegistryState): void {
  Object.defineProperty(tool, registryOf, { value: { tool, state } satisfies Kept })
}

/** What the registry of a `Tool` knows; undefined for anything that only looks like one, or stands in front of one. */
export function stateBehind(tool: object): RegistryState | undefined {
  const kept = (tool as { readonly [registryOf]?: Kept })[registryOf]
  return kept?.tool === tool ? kept.state : undefined
}

/** Which References the Calls of a run may read: as the run says, else its registry. */
export function referencesOf(
  tool: object,
  run: Pick<RunOptions, 'references'> = {},
): RunOptions['references'] {
  return run.references ?? stateBehind(tool)?.defaults.references
}

/** How long a Call of a run may take: as the run says, else its registry. */
export function timeoutOf(tool: object, run: Pick<RunOptions, 'timeout'> = {}): number | undefined {
  return run.timeout ?? stateBehind(tool)?.defaults.timeout
}

/** The most Calls of a group at the same time: as somebody says, and no more than the registry. */
export function concurrencyOf(tool: object, said: number = Number.POSITIVE_INFINITY): number {
  return Math.min(said, stateBehind(tool)?.defaults.concurrency ?? said)
}
