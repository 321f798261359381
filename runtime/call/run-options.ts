import type { ContextLike } from '../context/context.ts'
import type { CallsheetError } from '../errors.ts'
import type { Effects } from '../schema/schema.ts'
import type { ConfirmCalls } from './confirm.ts'
import type { DelegatedOptions } from './delegated-options.ts'
import type { LatentModel } from './latent.ts'
import type { Outcome } from './outcome.ts'

/** Whether and when a failed attempt is repeated (CALL-7). */
export interface RetryOptions {
  /** Maximum number of attempts, the first included. */
  readonly attempts: number
  /** Milliseconds to wait before the next attempt, or a function of the number of the failed attempt. Default: 0. */
  readonly backoff?: (number | ((attempt: number) => number)) | undefined
  /**
   * Decides whether an error is worth another attempt. Default: every error but timeouts, aborts, refusals and invalid
   * Calls.
   */
  readonly when?: ((error: CallsheetError, attempt: number) => boolean) | undefined
  /**
   * Also repeats Tools whose effects are not declared `read` or `idempotent` (TOOL-9). Their Activities must prevent
   * duplicates themselves, by `run.id`.
   */
  readonly allowEffects?: boolean | undefined
}

/** Options of one run; `createRegistry` takes the same as defaults (CALL-7). */
export interface RunOptions extends DelegatedOptions {
  /** The Messages so far. A plain array is never changed; a Context gets the Messages that a Call adds. */
  readonly context?: ContextLike | undefined
  /** Aborts the Call: `run.signal` of its Activity aborts, and its Outcome is `aborted`. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds from the start of the Call, for all attempts together; then the Call settles at once with `timeout`.
   */
  readonly timeout?: number | undefined
  readonly retry?: RetryOptions | undefined
  /**
   * Called just before each Call runs, or only for Tools of the listed effects; a Tool that declares none counts as
   * `write`.
   */
  readonly confirm?: ConfirmCalls | undefined
  /** `false`: a `†` in a parameter is plain text. A list: the kinds and References that may be read (REF-1a). */
  readonly references?: false | readonly string[] | undefined
  /** The idempotency key of a single Call. Default: a unique one. */
  readonly id?: string | undefined
  /**
   * Allows an Activity that is declared but not registered here: the Call is checked and confirmed, and fails when it
   * would start.
   */
  readonly elsewhere?: boolean | undefined
  /**
   * The Call was approved as it is: if `before` or `confirm` replaces it by a different one, it is refused. A list: it needed no
   * approval, and a Call in its place is refused unless its Tool has one of these effects. Set by engines for their workers.
   */
  readonly approved?: boolean | readonly Effects[] | undefined
  /**
   * The number that `run.attempt` starts with. Set by servers and engines for a Call that failed and is repeated. Default: 1.
   */
  readonly attempt?: number | undefined
  /** Answers latent Calls that carry no `_output` (CALL-2). */
  readonly model?: LatentModel | undefined
}

/** Options of `Tool.all`, `Tool.any`, `Tool.race` and `Tool.plan`. */
export interface GroupOptions extends Omit<RunOptions, 'id' | 'attempt'> {
  /** Maximum number of Calls that run at the same time. Default: no limit. */
  readonly concurrency?: number | undefined
  /** Lets `Tool.any` and `Tool.race` run Tools declared `write`: what a loser did is not undone (TOOL-9). */
  readonly allowEffects?: boolean | undefined
  /**
   * Receives the Outcome of each Call as it ends, with its index in the list: a group itself returns outputs only. What
   * it throws goes to the console and changes nothing.
   */
  readonly onOutcome?: ((outcome: Outcome, place: number) => void) | undefined
}
