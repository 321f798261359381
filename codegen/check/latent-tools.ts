import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import { composableTools } from '../emit/composed.ts'
import type { Model, ToolModel } from '../model.ts'

/**
 * Returns the Tools that are latent by rule 3 of ACT-3: they have no Activity and do not declare that the model answers
 * them, so this may be an oversight (ACT-3b).
 */
export function latentTools(model: Model, settings: Settings): ToolModel[] {
  const composable = composableTools(model, settings)
  return model.tools.filter(({ name, schema }, index) => {
    const { activity, delegate, effects, hasOutput } = toolFacts(name, schema)
    const saysOrHas = activity === '' || delegate !== undefined || composable[index]?.activity !== ''
    return !saysOrHas && hasOutput && effects !== 'write'
  })
}
