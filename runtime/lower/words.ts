import { referencePattern } from '../schema/reference-pattern.ts'

/** Longest piece of schema in a description, in characters: longer ones help a model little and cost tokens in every request. */
const longestSchema = 400

type Sentence = (value: unknown) => string

const counted = (value: unknown, one: string): string => `${value} ${one}${value === 1 ? '' : 's'}`

const sentences: Readonly<Record<string, Sentence>> = {
  minLength: (value) => `At least ${counted(value, 'character')}.`,
  maxLength: (value) => `At most ${counted(value, 'character')}.`,
  pattern: (value) => (value === referencePattern ? '(†…)' : `Matches ${value}.`),
  format: (value) => `Format: ${value}.`,
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `Greater than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minItems: (value) => `At least ${counted(value, 'item')}.`,
  maxItems: (value) => `At most ${counted(value, 'item')}.`,
  uniqueItems: (value) => (value === true ? 'No item twice.' : ''),
  minProperties: (value) => `At least ${value} properties.`,
  maxProperties: (value) => `At most ${value} properties.`,
  const: (value) => `Always ${shortJson(value)}.`,
  enum: (value) => `One of ${shortJson(value)}.`,
  default: (value) => `Default: ${shortJson(value)}.`,
  examples: (value) => `Examples: ${shortJson(value)}.`,
  deprecated: (value) => (value === true ? 'Deprecated.' : ''),
  not: (value) => `Must not match ${shortJson(value)}.`,
  oneOf: (value) => `Matches exactly one of ${shortJson(value)}.`,
  anyOf: (value) => `Matches one of ${shortJson(value)}.`,
  unevaluatedProperties: (value) =>
    value === false ? 'No other properties.' : `Other properties: ${shortJson(value)}.`,
  propertyNames: (value) => `Property names match ${shortJson(value)}.`,
  dependentRequired: (value) => `Properties that need others: ${shortJson(value)}.`,
}

/** Describes a constraint in a sentence for the model, if the dialect does not support its keyword. */
export function words(keyword: string, value: unknown): string {
  return (sentences[keyword] ?? ((other) => `${keyword}: ${shortJson(other)}.`))(value)
}

/** Serialises JSON, cut if it is long. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > longestSchema ? `${text.slice(0, longestSchema)}…` : text
}

/** Appends sentences to a description. */
export function described(description: unknown, sentencesToAdd: readonly string[]): string | undefined {
  const parts = [typeof description === 'string' ? description : '', ...sentencesToAdd].filter(
    (part) => part !== '',
  )
  return parts.length > 0 ? parts.join(' ') : undefined
}
