/** A problem of a schema, before it is known whose. */
export interface SchemaProblem {
  /** The rule's name in `docs/definition-rules.md`. */
  readonly rule: string
  /** JSON pointer into the schema. */
  readonly pointer: string
  /** A sentence. */
  readonly message: string
  /** What to do, as a sentence. */
  readonly fix: string
  /** What the rule requires, and what there is instead, where both are known apart. */
  readonly expected?: string
  readonly received?: string
}

export type ReportProblem = (problem: SchemaProblem) => void
