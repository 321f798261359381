import type { RegistryState } from '../call/registry-state.ts'
import type { SharedMeta } from '../schema/shared-meta.ts'
import type { AnyActivity } from '../tools/activity.ts'
import type { IdeaOptions } from '../tools/idea-data.ts'
import type { RegistryDefaults } from './make-state.ts'
import type { ActivityApi, ToolApi } from './registry-api.ts'
import { toolApi } from './tool-api.ts'

/** Options of `createRegistry`: the first Tools, and default options for every run. */
export interface RegistryOptions extends RegistryDefaults {
  /** Schemas by name: the `tools` that `generated/` exports, or the exports of definition files. */
  readonly tools?: Readonly<Record<string, object>> | undefined
  /**
   * Meta-fields that these Tools share (TOOL-10), as in the configuration. A Tool's own declaration takes precedence.
   */
  readonly meta?: SharedMeta | undefined
  /** Ideas that a Call's `_delegate` may name (REQ-12). */
  readonly ideas?: Readonly<Record<string, IdeaOptions>> | undefined
}

/** One set of Tools and Activities. */
export interface Registry<Tool = ToolApi, Activity = ActivityApi> {
  readonly Tool: Tool
  readonly Activity: Activity
}

/** Creates `Tool` and `Activity`, the two views of a registry's state. */
export function apisOf<Tool, Activity>(state: RegistryState): Registry<Tool, Activity> {
  // The one cast of the wiring: generated interfaces describe statically what these two do at run time.
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
