import { type FieldRule, oneOf } from '../problems/field-rule.ts'
import type { CompositionOptions } from './composition.ts'

/** The names of the composition options that are one of a few strings. */
type ChoiceName = 'outputPosition' | 'explicitOutput' | 'references'

type Choices = { readonly [Name in ChoiceName]: readonly NonNullable<CompositionOptions[Name]>[] }

/** The values of each, shared by `compose`, Requests, registries and the configuration. */
export const compositionChoices: Choices = {
  outputPosition: ['last', 'meta'],
  explicitOutput: ['keep', 'omit'],
  references: ['auto', 'deep', 'none'],
}

/** The rules for these options. */
export const compositionChoiceRules: Readonly<Record<ChoiceName, FieldRule>> = {
  outputPosition: oneOf(...compositionChoices.outputPosition),
  explicitOutput: oneOf(...compositionChoices.explicitOutput),
  references: oneOf(...compositionChoices.references),
}
