import { listSome } from '../../runtime/problems/problem.ts'
import { toolFacts } from '../../runtime/schema/tool-facts.ts'
import type { Settings } from '../config/settings.ts'
import type { Finding, Model, SourcePosition } from '../model.ts'
import { nearestName } from '../names/nearest-name.ts'
import type { FoundRegistrations, Registration } from '../registrations/find-registrations.ts'
import { latentTools } from './latent-tools.ts'

/** The most Tools that a warning names. */
const saidTools = 5

/**
 * Warns of each place that may register the Activities of Tools which would be left to the model: under computed names, under
 * names that are like theirs and no Tool's, or on an object of which the sources do not tell what it is (ACT-3b).
 */
export function uncertainRegistrations(
  model: Model,
  settings: Settings,
  {
    registrations,
    computed,
    unfollowed,
  }: Pick<FoundRegistrations, 'registrations' | 'computed' | 'unfollowed'>,
): Finding[] {
  const latent = latentTools(model, settings).map(({ name }) => name)
  if (latent.length === 0) return []
  return [
    ...misspelt(registrations, latent, model),
    ...computed.map((at) => computedName(latent, at)),
    ...unfollowed(latent).map(({ name, at }) => unfollowedObject(name, at)),
  ]
}

function misspelt(
  registrations: readonly Registration[],
  latent: readonly string[],
  { tools }: Model,
): Finding[] {
  const known = new Set<string | undefined>(
    tools.flatMap(({ name, schema }) => [name, toolFacts(name, schema).activity]),
  )
  return registrations.flatMap(({ name, at }) => {
    const meant = known.has(name) ? undefined : nearestName(name, latent)
    return meant === undefined ? [] : [misspeltName(name, meant, at)]
  })
}

function misspeltName(name: string, meant: string, at: SourcePosition): Finding {
  return {
    rule: 'misspelt-registration',
    severity: 'warning',
    message: `The Activity "${name}" belongs to no Tool. Did you mean "${meant}"? That Tool has no Activity, and is composed as latent, for the model to answer.`,
    fix: `Register it as "${meant}". If it is for another Tool, which is registered at run time, declare _activity: '' in "${meant}".`,
    at,
  }
}

function computedName(latent: readonly string[], at: SourcePosition): Finding {
  const names = listSome(
    latent.map((name) => `"${name}"`),
    saidTools,
    ', ',
  )
  return {
    rule: 'computed-registration',
    severity: 'warning',
    message: `An Activity is registered under a name that is computed, so that no Tool is known to have it. Composed as latent, for the model to answer: ${names}.`,
    fix: 'Write the name as a text, list the Tools under "activities" in the configuration, or declare _activity: \'\' in those that the model is to answer.',
    at,
  }
}

function unfollowedObject(name: string, at: SourcePosition): Finding {
  return {
    rule: 'unfollowed-registration',
    severity: 'warning',
    message: `Something registers "${name}" here, and the search cannot tell whether it is an Activity. The Tool is composed as latent, for the model to answer.`,
    fix: `If this is an Activity, import \`Activity\` in this file, which has to be TypeScript or JavaScript, or list "${name}" under "activities" in the configuration. If not, declare _activity: '' in the Tool.`,
    at,
  }
}
