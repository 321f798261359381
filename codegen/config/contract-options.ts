/** A change of the contract that somebody answers for (DIFF-4). */
export interface ContractException {
  /** The change's id, as `callsheet diff` prints it. */
  readonly change: string
  /** Why it may be. */
  readonly reason: string
}
