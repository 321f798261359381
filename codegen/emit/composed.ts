import { type ComposableTool, compose } from '../../runtime/compose/compose.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { Model } from '../model.ts'
import { declaredActivities } from './index-file.ts'

/** The one schema over all Tools, as declared: what every dialect is lowered from. */
export function composedSchema(model: Model, settings: Settings): JsonSchema {
  return compose(composableTools(model, settings), {
    definitions: model.definitions,
    outputPosition: settings.outputPosition,
    explicitOutput: settings.explicitOutput,
  })
}

/** The Tools with the Activities that they get: those that the project registers (ACT-3b) or declares (ACT-3a). */
export function composableTools(model: Model, settings: Settings): ComposableTool[] {
  const declared = new Set(declaredActivities(model, settings))
  return model.tools.map(({ name, schema, implementedIn }) => {
    const wanted = toolFacts(name, schema).activity ?? name
    return { name, schema, activity: implementedIn !== undefined || declared.has(wanted) ? wanted : '' }
  })
}
