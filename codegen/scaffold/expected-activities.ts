import { byCodeUnit } from '../../runtime/json/json.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { Model, ToolModel } from '../model.ts'

/** An Activity that has to be implemented here, with the first Tool that uses it. */
export interface ExpectedActivity {
  readonly name: string
  readonly tool: ToolModel
}

/**
 * Returns the Activities that the Tools of a set need here. Excludes functions (TOOL-5), Activities that the configuration
 * declares as implemented elsewhere (ACT-3a), and Tools that a model answers: latent ones (ACT-3) and Ideas (REQ-11).
 */
export function expectedActivities(model: Model, { activities }: Settings): ExpectedActivity[] {
  if (activities === 'same-name') return []
  const expected = new Map<string, ExpectedActivity>()
  for (const tool of model.tools) {
    const name = toolFacts(tool.name, tool.schema).activity ?? tool.name
    const isAnswered = name === '' || tool.idea !== undefined
    const isElsewhere = isAnswered || tool.implementation !== undefined || activities?.includes(name)
    if (!isElsewhere && !expected.has(name)) expected.set(name, { name, tool })
  }
  return [...expected.values()].sort((left, right) => byCodeUnit(left.name, right.name))
}
