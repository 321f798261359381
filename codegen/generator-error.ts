/** Why a run could not be made at all, as opposed to definitions that are wrong (those are findings). */
export type GeneratorErrorCode =
  | 'invalid_usage'
  | 'invalid_config'
  | 'cannot_read'
  | 'cannot_write'
  | 'locked'

/** One sentence about what is wrong and one about what to do. */
export interface Fault {
  readonly message: string
  readonly fix: string
}

/**
 * The command was used wrongly, the configuration is wrong, or the machine refused. Carries every fault at once; the
 * command line exits with 2.
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
