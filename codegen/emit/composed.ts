import type { ComposableTool, ComposeOptions } from '../../runtime/compose/compose.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { Model } from '../model.ts'
import { declaredActivities } from './index-file.ts'

/** Returns the options for composing: those of the configuration, and the project's declared context. */
export function composeOptions(model: Model, settings: Settings): ComposeOptions {
  const { outputPosition, explicitOutput, references } = settings
  const delegates = model.tools.flatMap(({ name, idea }) => (idea ? [name] : []))
  return {
    definitions: model.definitions,
    kinds: model.context,
    outputPosition,
    explicitOutput,
    references,
    delegates,
  }
}

/** Returns the Tools with their Activities: those that the project registers (ACT-3b) or declares (ACT-3a). */
export function composableTools(model: Model, settings: Settings): ComposableTool[] {
  const declared = new Set(declaredActivities(model, settings))
  return model.tools.map(({ name, schema, implementedIn }) => {
    const wanted = toolFacts(name, schema).activity ?? name
    return { name, schema, activity: implementedIn !== undefined || declared.has(wanted) ? wanted : '' }
  })
}
