import { listSome } from '../../runtime/problems/problem.ts'
import type { Settings } from '../config/settings.ts'
import type { Finding, Model, SourcePosition } from '../model.ts'
import { latentTools } from './latent-tools.ts'

/** The most Tools that a warning names. */
const saidTools = 5

/**
 * Warns of each place that registers Activities under computed names, if some Tools would be left to the model: their
 * Activities may be registered there (ACT-3b).
 */
export function computedRegistrations(
  model: Model,
  settings: Settings,
  computed: readonly SourcePosition[],
): Finding[] {
  const latent = computed.length > 0 ? latentTools(model, settings) : []
  if (latent.length === 0) return []
  const names = listSome(
    latent.map(({ name }) => `"${name}"`),
    saidTools,
    ', ',
  )
  return computed.map((at) => ({
    rule: 'computed-registration',
    severity: 'warning',
    message: `An Activity is registered under a name that is computed, so that no Tool is known to have it. Composed as latent, for the model to answer: ${names}.`,
    fix: 'Write the name as a text, list the Tools under "activities" in the configuration, or declare _activity: \'\' in those that the model is to answer.',
    at,
  }))
}
