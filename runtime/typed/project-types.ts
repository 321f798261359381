/** The generated types of a project, as far as References and plans are checked against them. */
export interface ProjectTypes {
  /** `Calls`: what is written, by Tool. */
  readonly calls: object
  /** `ResolvedCalls`: what an Activity receives. */
  readonly resolvedCalls: object
  /** `Outputs`. */
  readonly outputs: object
  /** `ContextTypes`: what contexts hold, by kind. */
  readonly context: object
}
