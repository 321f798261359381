import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import { composableTools } from '../emit/composed.ts'
import type { Finding, Model } from '../model.ts'

/**
 * A note for each Tool that nobody implements and that does not say that the model answers for it: latent by rule 3 of
 * ACT-3, and perhaps by accident (ACT-3b).
 */
export function latentByDefault(model: Model, settings: Settings): Finding[] {
  const composable = composableTools(model, settings)
  return model.tools.flatMap(({ name, schema, at }, index) => {
    const { activity, delegate, effects, hasOutput } = toolFacts(name, schema)
    const saysOrHas = activity === '' || delegate !== undefined || composable[index]?.activity !== ''
    if (saysOrHas || !hasOutput || effects === 'write') return []
    return [
      {
        rule: 'latent-by-default',
        severity: 'note',
        message: `Tool "${name}" is latent: no source of this project registers an Activity for it, so the model makes its output up.`,
        fix: `Implement it (callsheet scaffold), list it under "activities" in the configuration if it runs elsewhere, or declare _activity: '' if the model is to answer.`,
        at,
        tool: name,
      } as const,
    ]
  })
}
