import { byCodeUnit } from '../../runtime/json/json.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { Model, ToolModel } from '../model.ts'

/** An Activity that somebody has to write here, and the first Tool that it serves. */
export interface ExpectedActivity {
  readonly name: string
  readonly tool: ToolModel
}

/**
 * The Activities that the Tools of a set need here: not those that are functions already (TOOL-5), that the configuration
 * says are elsewhere (ACT-3a), or of Tools that a model answers: latent ones (ACT-3) and Ideas (REQ-11).
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
