import type { RegistryState } from '../call/registry-state.ts'
import type { SharedMeta } from '../schema/shared-meta.ts'
import type { AnyActivity } from '../tools/activity.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import type { RegistryDefaults } from './make-state.ts'
import type { ActivityApi, ToolApi } from './registry-api.ts'
import { toolApi } from './tool-api.ts'

/** Options of `createRegistry`: Tools to begin with, and defaults for every run. */
export interface RegistryOptions extends RegistryDefaults {
  /** Schemas by name: what `generated/` exports as `tools`, or definitions as they stand. */
  readonly tools?: Readonly<Record<string, object>> | undefined
  /** Meta-fields that many of these Tools share (TOOL-10), as in the configuration; a Tool's own declaration counts over them. */
  readonly meta?: SharedMeta | undefined
  /** Ideas that a Call's `_delegate` may name (REQ-12). */
  readonly ideas?: Readonly<Record<string, IdeaData>> | undefined
}

/** One set of Tools and Activities. */
export interface Registry<Tool = ToolApi, Activity = ActivityApi> {
  readonly Tool: Tool
  readonly Activity: Activity
}

/** Makes the two views of what a registry knows. */
export function apisOf<Tool, Activity>(state: RegistryState): Registry<Tool, Activity> {
  // The one cast of the wiring: the generated interfaces say statically what this does at run time.
  return { Tool: toolApi(state), Activity: activityApi(state) } as Registry<unknown, unknown> as Registry<
    Tool,
    Activity
  >
}

function activityApi(state: RegistryState): ActivityApi {
  const { activities } = state
  return {
    register: activities.register.bind(activities) as ActivityApi['register'],
    unregister: activities.unregister.bind(activities),
    get: (name: string, variant?: string): AnyActivity | undefined => activities.get(name, variant),
    declare: (...names: string[]) => activities.declare(names),
    get names() {
      return activities.names
    },
  }
}
