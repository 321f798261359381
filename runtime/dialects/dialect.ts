import { keywordNames } from '../keywords/keywords.ts'
import type { DialectName } from './dialect-name.ts'

/** Conditions under which a keyword is kept; otherwise it is described in words. All given conditions must hold. */
export interface KeepWhen {
  /** The node has one of these types. */
  readonly types?: readonly string[]
  /** None of these keywords is in the same schema. */
  readonly without?: readonly string[]
  readonly pattern?: PatternKind
  /** The keyword's value is at most this. */
  readonly most?: number
  /** It and every other bound in the same schema are safe integers. */
  readonly whole?: true
  /** The schema also has a bound at the other end, by one of these keywords; or the value is one of these numbers. */
  readonly closed?: { readonly by: readonly string[]; readonly or: readonly number[] }
}

/**
 * `regular`: what the engines of Python, Rust and JavaScript all read alike: no lookaround, named group, `\b`, `\p` or back-reference,
 * and no bare `[` in a class. `plain`: anchored at both ends, matching only characters that JSON does not escape, with only ASCII in
 * classes; for engines that apply the pattern to the JSON text between the quotes. `literal`: like `plain`, without `\d` and `\w`,
 * and with any character in classes.
 */
export type PatternKind = 'regular' | 'plain' | 'literal'

/**
 * How a keyword is lowered. `keep`: unchanged. `describe`: moved into the description, in words. `drop`: removed, for annotations
 * that do not help a model.
 */
export type KeywordRule = 'keep' | 'describe' | 'drop' | KeepWhen

/** The quantity that a limit bounds; `lower/usage.ts` has a counter for each. */
export type Measure =
  | 'properties'
  | 'depth'
  | 'nameCharacters'
  | 'enumValues'
  | 'largeEnumCharacters'
  | 'strictTools'
  | 'optionalParameters'
  | 'unions'
  | 'nullableProperties'
  | 'bytes'
  | 'objects'
  | 'maxItemsSum'
  | 'tools'
  | 'nameLength'

/** A provider's limit. */
export interface Limit {
  readonly measure: Measure
  readonly max: number
  /** Exceeding a `documented` limit fails generation; exceeding an `observed` one, known from reported answers, only warns. */
  readonly severity: 'documented' | 'observed'
  readonly source: string
  /** When the source was last checked, as an ISO date. */
  readonly reviewedAt: string
  /** Where the limit applies; to both if absent. */
  readonly appliesTo?: 'composed' | 'native'
}

/** The subset of JSON Schema that a provider or an engine accepts, as data for the lowering engine (`lower/`). */
export interface Dialect {
  readonly name: DialectName
  /** Accepts JSON Schema 2020-12 unchanged: nothing is rewritten. */
  readonly asDeclared?: boolean
  /** The root must be an object schema without a union; anything else is wrapped in one. */
  readonly objectRoot: boolean
  /** `nullable`: every property is required, and null represents an absent one. */
  readonly optional: 'keep' | 'nullable'
  /** The keyword for one fixed value. No dialect uses `const` without a `type`. */
  readonly constant: 'const' | 'enum'
  /** Types of values that `const` and `enum` may list; other primitives are described in words. */
  readonly constantTypes: readonly ('string' | 'number' | 'boolean' | 'null')[]
  /** Arrays in `type`: `nullable` accepts `[T, "null"]` only. */
  readonly typeLists: 'any' | 'nullable'
  /** Maps with free keys: kept, or sent as a list of `{ key, value }`. */
  readonly records: 'keep' | 'entries'
  /** `prefixItems`: kept, or sent as an object with a property for each item. */
  readonly tuples: 'keep' | 'object'
  /** A schema without any type: kept, or sent as JSON text. */
  readonly untyped: 'keep' | 'json'
  /** Recursive references: kept, sent as JSON text, or kept only below an optional property. */
  readonly recursion: 'keep' | 'json' | 'optional'
  /** A description next to `$ref`: kept, moved to an `anyOf` around it, or dropped. */
  readonly besideRef: 'keep' | 'wrap' | 'drop'
  /** `unescaped`: an object with a property name that JSON escapes (a quote, a line break) is sent as JSON text. */
  readonly names?: 'unescaped'
  /** `json`: a list of fixed values with an empty text, which the provider refuses in `enum`, is sent as JSON texts. */
  readonly emptyText?: 'json'
  /** The provider may answer a fixed string with different capitalisation; `lift` restores the declared one. */
  readonly capitals?: 'unreliable'
  /**
   * For engines that support only certain kinds of patterns: a pattern for References that the engine accepts. References are
   * then sent as separate branches. The pattern has no character that JSON escapes, so a Reference cannot contain a quote.
   */
  readonly referencePattern?: string
  /** Supported formats; others are described in words. `any`: all. */
  readonly formats: 'any' | readonly string[]
  /** Rules for the keywords that the structural fields above do not decide. */
  readonly keywords: Readonly<Record<string, KeywordRule>>
  /** The rule for keywords that `keywords` does not list. */
  readonly otherKeywords: 'keep' | 'drop'
  readonly limits: readonly Limit[]
}

/** Keywords that the lowering engine handles itself; what is left of them, a constrained dialect drops. */
const structural =
  '$ref type const enum allOf anyOf oneOf properties required additionalProperties items prefixItems'.split(
    ' ',
  )

/** Annotations that help a model, and so are described if a dialect does not support them. */
const helpful = ['default', 'examples', 'deprecated']

/** Keywords that are described in words, unless a dialect's own table overrides it. */
export const describedEverywhere: Readonly<Record<string, KeywordRule>> = Object.fromEntries(
  keywordNames(
    ({ kind, name }) =>
      kind === 'content' || (kind === 'assertion' ? !structural.includes(name) : helpful.includes(name)),
  ).map((name) => [name, 'describe']),
)

/** Keywords that most dialects support. */
export const keptMostly: Readonly<Record<string, KeywordRule>> = {
  minLength: 'keep',
  maxLength: 'keep',
  pattern: 'keep',
  minimum: 'keep',
  maximum: 'keep',
  exclusiveMinimum: 'keep',
  exclusiveMaximum: 'keep',
  multipleOf: 'keep',
  minItems: 'keep',
  maxItems: 'keep',
  title: 'keep',
}
