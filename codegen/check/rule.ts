import type { Finding, LoadedDefinition, Model } from '../model.ts'
import type { Site } from './sites.ts'

/** The input of a rule. */
export interface Subject {
  readonly model: Model
  readonly definitions: readonly LoadedDefinition[]
  /** The definition of each Tool in the model, by name. */
  readonly tools: ReadonlyMap<string, LoadedDefinition>
  /** Every schema in the model, with its origin. */
  readonly sites: readonly Site[]
}

/** One violation of a rule. */
export interface Breach {
  readonly definition: LoadedDefinition
  /** JSON pointer into the definition's schema. */
  readonly pointer: string
  /** What was found instead. */
  readonly got: string
  /** Whether `got` is a complete sentence, so that it is printed without "got" before it. */
  readonly isSentence?: boolean
  /** Overrides the rule's `fix`. */
  readonly fix?: string
}

/** A rule for definitions. */
export interface Rule {
  /** Stable; `docs/definition-rules.md` has an entry of this name. */
  readonly name: string
  readonly severity: Finding['severity']
  /** The requirement, as the text of the finding and the name of the test. */
  readonly sentence: string
  readonly fix: string
  breaches(subject: Subject): Iterable<Breach>
}
