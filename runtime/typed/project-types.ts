/** The generated types of a project that References and plans are checked against. */
export interface ProjectTypes {
  /** `Calls`: the types of written Calls, by Tool. */
  readonly calls: object
  /** `ResolvedCalls`: the types that Activities receive, by Tool. */
  readonly resolvedCalls: object
  /** `Outputs`: the output types, by Tool. */
  readonly outputs: object
  /** `ContextTypes`: the data of contexts, by kind. */
  readonly context: object
}
