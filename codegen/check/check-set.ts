import type { Settings } from '../config/settings.ts'
import type { Finding, LoadedDefinition, Model } from '../model.ts'
import type { FoundRegistrations } from '../registrations/find-registrations.ts'
import { checkModel } from './check-model.ts'
import { uncertainRegistrations } from './uncertain-registrations.ts'
import { unimportableFunctions } from './unimportable-functions.ts'
import { unknownActivities } from './unknown-activities.ts'

/** The facts, besides the model, that a set is checked against. */
export interface CheckedAgainst {
  readonly settings: Settings
  readonly definitions: readonly LoadedDefinition[]
  readonly registered: FoundRegistrations
  /** Whether the model contains every defined Tool. If a definition has an error, a missing Tool proves nothing. */
  readonly isWhole: boolean
}

/** Phase 3: checks the model of one set against its configuration, the project's registrations and every rule. */
export function checkSet(
  model: Model,
  { settings, definitions, registered, isWhole }: CheckedAgainst,
): Finding[] {
  return [
    ...(isWhole ? unknownActivities(model, settings) : []),
    ...uncertainRegistrations(model, settings, registered),
    ...unimportableFunctions(model, settings),
    ...checkModel(model, definitions),
  ]
}
