import type { Settings } from '../config/settings.ts'
import type { Finding, LoadedDefinition, Model, SourcePosition } from '../model.ts'
import { checkModel } from './check-model.ts'
import { computedRegistrations } from './computed-registrations.ts'
import { unknownActivities } from './unknown-activities.ts'

/** What a set has besides its model. */
export interface CheckedAgainst {
  readonly settings: Settings
  readonly definitions: readonly LoadedDefinition[]
  /** Where the project registers Activities under names that are computed. */
  readonly computed: readonly SourcePosition[]
  /** Whether the model has every Tool that is defined: where a definition is wrong, one that is missing says nothing. */
  readonly isWhole: boolean
}

/** Phase 3: holds the model of one set against its configuration, the project's registrations and every rule. */
export function checkSet(
  model: Model,
  { settings, definitions, computed, isWhole }: CheckedAgainst,
): Finding[] {
  return [
    ...(isWhole ? unknownActivities(model, settings) : []),
    ...computedRegistrations(model, settings, computed),
    ...checkModel(model, definitions),
  ]
}
