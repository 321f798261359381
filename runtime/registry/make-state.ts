import { requireOptions } from '../call/controls/require-options.ts'
import { Emitter } from '../call/events.ts'
import type { RegistryState } from '../call/registry-state.ts'
import type { RegistrySurface } from '../call/registry-surface.ts'
import type { GroupOptions } from '../call/run-options.ts'
import type { CompositionOptions } from '../compose/composition.ts'
import type { RankTools, SearchIndex } from '../find/find-tools.ts'
import { warnOnce } from '../problems/warn-once.ts'
import { ActivityRegistry } from '../tools/activity-registry.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import { ToolRegistry } from '../tools/tool-registry.ts'

/** Default options for every run of a registry, and the options of the registry itself. */
export interface RegistryDefaults extends GroupOptions {
  /** Names of Activities that are implemented elsewhere (ACT-3a). */
  readonly declared?: Iterable<string>
  /** Replaces the built-in ranking of `Tool.find`, for example with embeddings (FIND-1). */
  readonly rank?: RankTools
  /** The Ideas of generated wiring, as JSON text by name (REQ-11). */
  readonly ideaTexts?: Readonly<Record<string, string>>
  /** Loads the generated search index; called with the first question. */
  readonly search?: () => Promise<SearchIndex>
  /** How the Tools are composed, unless a Request overrides it (REQ-14). */
  readonly compose?: CompositionOptions
}

/**
 * Creates the state of a registry.
 *
 * @throws CallError `invalid_options`.
 */
export function makeState(
  surface: (state: RegistryState) => RegistrySurface,
  { declared = [], compose, ideaTexts = {}, rank, search, ...defaults }: RegistryDefaults,
): RegistryState {
  requireOptions(defaults)
  let made: RegistrySurface | undefined
  const events = new Emitter()
  const state: RegistryState = {
    tools: new ToolRegistry(),
    activities: new ActivityRegistry((activity, variant) => tellReplaced(events, activity, variant)),
    events,
    ideas: new Map(Object.entries(ideaTexts).map(([name, text]) => [name, JSON.parse(text) as IdeaData])),
    reportedLatent: new Set(),
    defaults,
    finding: { ...(rank && { rank }), ...(search && { search }) },
    compose,
    get surface() {
      made ??= surface(state)
      return made
    },
  }
  state.activities.declare(declared)
  return state
}

/**
 * Emits `activity:replaced`, or warns if nobody listens: which registration is the last may depend on the order of
 * imports.
 */
function tellReplaced(events: Emitter, activity: string, variant: string): void {
  if (events.has('activity:replaced')) {
    events.emit('activity:replaced', { activity, variant })
    return
  }
  const what =
    variant === 'default' ? `Activity "${activity}"` : `Variant "${variant}" of Activity "${activity}"`
  warnOnce(
    'CALLSHEET_REPLACED',
    `${activity} ${variant}`,
    `${what} was registered twice, and the later one runs. If you mean that, pass { replace: true }.`,
  )
}
