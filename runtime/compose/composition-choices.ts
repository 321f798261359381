import { type FieldRule, oneOf } from '../problems/field-rule.ts'
import type { CompositionOptions } from './composition.ts'

/** The options of a composition that are one of a few words. */
type ChoiceName = 'outputPosition' | 'explicitOutput' | 'references'

type Choices = { readonly [Name in ChoiceName]: readonly NonNullable<CompositionOptions[Name]>[] }

/** What each of them can be, wherever it is given: to `compose`, a Request, a registry, or in the configuration. */
export const compositionChoices: Choices = {
  outputPosition: ['last', 'meta'],
  explicitOutput: ['keep', 'omit'],
  references: ['auto', 'deep', 'none'],
}

/** Their rules. */
export const compositionChoiceRules: Readonly<Record<ChoiceName, FieldRule>> = {
  outputPosition: oneOf(...compositionChoices.outputPosition),
  explicitOutput: oneOf(...compositionChoices.explicitOutput),
  references: oneOf(...compositionChoices.references),
}
