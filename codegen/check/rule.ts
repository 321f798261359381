import type { Finding, LoadedDefinition, Model } from '../model.ts'
import type { Site } from './sites.ts'

/** What rules look at. */
export interface Subject {
  readonly model: Model
  readonly definitions: readonly LoadedDefinition[]
  /** The definition of each Tool in the model, by name. */
  readonly tools: ReadonlyMap<string, LoadedDefinition>
  /** Every schema in the model, with where it came from. */
  readonly sites: readonly Site[]
}

/** One place where a rule does not hold. */
export interface Breach {
  readonly definition: LoadedDefinition
  /** JSON pointer into the definition's schema. */
  readonly pointer: string
  /** What there is instead. */
  readonly got: string
  /** Whether `got` is a sentence of its own, which "got" in front of it would break. */
  readonly isSentence?: boolean
  /** What to do, where that is more than the rule's own advice. */
  readonly fix?: string
}

/** Something that must hold of definitions. */
export interface Rule {
  /** Stable; `docs/definition-rules.md` has an entry of this name. */
  readonly name: string
  readonly severity: Finding['severity']
  /** What must hold: the text of the finding, and the name of the test. */
  readonly sentence: string
  readonly fix: string
  breaches(subject: Subject): Iterable<Breach>
}
