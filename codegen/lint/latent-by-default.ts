import { latentTools } from '../check/latent-tools.ts'
import type { Settings } from '../config/settings.ts'
import type { Finding, Model } from '../model.ts'

/** Returns a note for each Tool that is latent without declaring it. */
export function latentByDefault(model: Model, settings: Settings): Finding[] {
  return latentTools(model, settings).map(({ name, at }) => ({
    rule: 'latent-by-default',
    severity: 'note',
    message: `Tool "${name}" is latent: no source of this project registers an Activity for it, so the model makes its output up.`,
    fix: `Implement it (callsheet scaffold), list it under "activities" in the configuration if it runs elsewhere, or declare _activity: '' if the model is to answer.`,
    at,
    tool: name,
  }))
}
