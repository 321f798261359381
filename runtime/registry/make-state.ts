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

/** Defaults of every run of a registry, and what is implemented elsewhere. */
export interface RegistryDefaults extends GroupOptions {
  /** Names of Activities that are implemented elsewhere (ACT-3a). */
  readonly declared?: Iterable<string>
  /** Ranks Tools for `Tool.find` in a way of your own, by embeddings for example (FIND-1). */
  readonly rank?: RankTools
  /** The Ideas of generated wiring, as JSON text by name (REQ-11). */
  readonly ideaTexts?: Readonly<Record<string, string>>
  /** Loads the generated search index, with the first question. */
  readonly search?: () => Promise<SearchIndex>
  /** How the Tools are composed, unless a Request says otherwise (REQ-14). */
  readonly compose?: CompositionOptions
}

/**
 * Makes what a registry knows.
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
    toldLatent: new Set(),
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

/** The last registration counts, which by the order of imports is nobody's decision: so it is told. */
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
