/** Why a run was impossible. Errors in definitions are findings instead. */
export type GeneratorErrorCode =
  | 'invalid_usage'
  | 'invalid_config'
  | 'cannot_read'
  | 'cannot_write'
  | 'locked'

/** What is wrong, and what to do about it: a sentence each. */
export interface Fault {
  readonly message: string
  readonly fix: string
}

/**
 * Wrong usage, a wrong configuration, or an error of the system. Carries all faults at once; the command line exits with 2.
 */
export class GeneratorError extends Error {
  override name = 'GeneratorError'
  readonly code: GeneratorErrorCode
  readonly faults: readonly Fault[]

  constructor(code: GeneratorErrorCode, faults: readonly Fault[], cause?: unknown) {
    super(
      faults.map((fault) => `${fault.message} ${fault.fix}`).join('\n'),
      cause === undefined ? undefined : { cause },
    )
    this.code = code
    this.faults = faults
  }
}
