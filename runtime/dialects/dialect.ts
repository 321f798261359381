import { keywordNames } from '../keywords/keywords.ts'
import type { DialectName } from './dialect-name.ts'

/** When a keyword may stay; otherwise it goes into words. All that is named must hold. */
export interface KeepWhen {
  /** The keyword's value is one of these. */
  readonly values?: readonly unknown[]
  /** The node has one of these types. */
  readonly types?: readonly string[]
  /** None of these keywords stands beside it. */
  readonly without?: readonly string[]
  readonly pattern?: PatternKind
  /** It and every other bound beside it are whole numbers that JavaScript holds exactly. */
  readonly whole?: true
  /** A bound at the other end, by one of these keywords, stands beside it; or its value is one of these numbers. */
  readonly closed?: { readonly by: readonly string[]; readonly or: readonly number[] }
}

/**
 * `regular`: no lookaround, `\b` or back-reference. `plain`: bound at both ends, and nothing but characters that JSON text
 * does not escape, for engines that hold the text between the quotes to the pattern; in classes ASCII alone. `literal`: without
 * `\d` and `\w`, and with any character in classes.
 */
export type PatternKind = 'regular' | 'plain' | 'literal'

/**
 * What becomes of a keyword: `keep` as it is; `inexact`, kept although the provider does not promise to enforce it;
 * `describe`, said in words in the description; `drop`, for annotations that say nothing to a model.
 */
export type KeywordRule = 'keep' | 'inexact' | 'describe' | 'drop' | KeepWhen

/** What is counted for a limit; `lower/usage.ts` has one counter for each. */
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

/** A limit of a provider. */
export interface Limit {
  readonly measure: Measure
  readonly max: number
  /** `documented` fails generation when passed; `observed`, seen in someone's answers, only warns. */
  readonly severity: 'documented' | 'observed'
  readonly source: string
  /** When the source was last read, ISO date. */
  readonly reviewedAt: string
  /** Where the limit counts; in both when left out. */
  readonly appliesTo?: 'composed' | 'native'
}

/** A provider's or an engine's reading of JSON Schema, as data. One engine (`lower/`) works by it. */
export interface Dialect {
  readonly name: DialectName
  /** Takes JSON Schema 2020-12 as declared: nothing is rewritten. */
  readonly asDeclared?: boolean
  /** The root must be an object without a union; anything else is wrapped in one. */
  readonly objectRoot: boolean
  /** `nullable`: every property is required, and null stands for an absent one. */
  readonly optional: 'keep' | 'nullable'
  /** How one fixed value is said. A bare `const` without `type` is said by none. */
  readonly constant: 'const' | 'enum'
  /** Types of values that `const` and `enum` may list; other primitives are described. */
  readonly constantTypes: readonly ('string' | 'number' | 'boolean' | 'null')[]
  /** `[T, "null"]` and lists of several types in `type`. */
  readonly typeLists: 'any' | 'nullable'
  /** Maps with free keys: kept, or sent as a list of `{ key, value }`. */
  readonly records: 'keep' | 'entries'
  /** `prefixItems`: kept, or sent as an object with a property for each item. */
  readonly tuples: 'keep' | 'object'
  /** A schema without any type: kept, or sent as JSON text. */
  readonly untyped: 'keep' | 'json'
  /** References that lead back: kept, sent as JSON text, or kept only below an optional property. */
  readonly recursion: 'keep' | 'json' | 'optional'
  /** A description beside `$ref`: kept, moved to an `anyOf` around it, or left out. */
  readonly besideRef: 'keep' | 'wrap' | 'drop'
  /** `unescaped`: an object with a name that JSON text escapes (a quote, a line break) is sent as JSON text. */
  readonly names?: 'unescaped'
  /** The provider may answer a fixed string with other capitals; `lift` restores the declared ones. */
  readonly capitals?: 'unreliable'
  /**
   * Set where an engine holds text to patterns of certain kinds only: the pattern of a Reference that it takes. References
   * then go as branches of their own. It has no character that JSON escapes, so keys with a quote are out of reach there.
   */
  readonly referencePattern?: string
  /** Formats that are taken; others are described. `any` takes all. */
  readonly formats: 'any' | readonly string[]
  /** Keywords that the engine's structural rules do not decide. */
  readonly keywords: Readonly<Record<string, KeywordRule>>
  /** Keywords that `keywords` does not name. */
  readonly otherKeywords: 'keep' | 'drop'
  readonly limits: readonly Limit[]
  readonly source: string
  readonly reviewedAt: string
}

/** Keywords that the lowering engine decides about itself; what of them it leaves, a constrained dialect drops. */
const structural =
  '$ref type const enum allOf anyOf oneOf properties required additionalProperties items prefixItems'.split(
    ' ',
  )

/** Annotations that help a model, where a dialect has no keyword for them. */
const helpful = ['default', 'examples', 'deprecated']

/** What goes into words unless a dialect's own table says that it stays. */
export const describedEverywhere: Readonly<Record<string, KeywordRule>> = Object.fromEntries(
  keywordNames(
    ({ kind, name }) =>
      kind === 'content' || (kind === 'assertion' ? !structural.includes(name) : helpful.includes(name)),
  ).map((name) => [name, 'describe']),
)

/** Keywords that most dialects take. */
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
