import type { ContextLike } from '../context/context.ts'
import type { CallsheetError } from '../errors.ts'
import type { ConfirmCalls } from './confirm.ts'
import type { DelegatedOptions } from './delegated-options.ts'
import type { LatentModel } from './latent.ts'
import type { Outcome } from './outcome.ts'

/** How a failed attempt is repeated (CALL-7). */
export interface RetryOptions {
  /** The most attempts in all, the first included. */
  readonly attempts: number
  /** Milliseconds to wait before the next attempt, or a function of the attempt that failed. 0 by default. */
  readonly backoff?: (number | ((attempt: number) => number)) | undefined
  /** Which errors are worth another attempt. All but aborts, refusals and invalid Calls by default. */
  readonly when?: ((error: CallsheetError, attempt: number) => boolean) | undefined
  /**
   * Repeat Tools whose effects are not declared `read` or `idempotent` as well (TOOL-9). Their Activities must look at
   * `run.id` themselves.
   */
  readonly allowEffects?: boolean | undefined
}

/** Options of one run; `createRegistry` takes the same as defaults (CALL-7). */
export interface RunOptions extends DelegatedOptions {
  /** The Messages so far. A plain array is never touched; to a Context, what succeeds is appended. */
  readonly context?: ContextLike | undefined
  /** Aborts the Call: its Activity is told by `run.signal`, and its Outcome is `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds from the start of the Call, all attempts together; the Call settles at once with `timeout`. */
  readonly timeout?: number | undefined
  readonly retry?: RetryOptions | undefined
  /** Asked for each Call just before it runs, or only for Tools of the effects that it lists; a Tool that declares none counts as `write`. */
  readonly confirm?: ConfirmCalls | undefined
  /** `false`: a `†` in a parameter is text. A list: the kinds and References that may be read (REF-1a). */
  readonly references?: false | readonly string[] | undefined
  /** The idempotency key of a single Call; unique per Call unless given. */
  readonly id?: string | undefined
  /** An Activity that is declared and not registered here: the Call is checked and asked for all the same, and fails when it would start. */
  readonly elsewhere?: boolean | undefined
  /** Somebody approved the Call as it is: where `before` gives another one, it is refused. Engines say so to their workers. */
  readonly approved?: boolean | undefined
  /** Answers latent Calls that carry no `_output` (CALL-2). */
  readonly model?: LatentModel | undefined
}

/** Options of `Tool.all`, `Tool.any` and `Tool.race`. */
export interface GroupOptions extends Omit<RunOptions, 'id'> {
  /** The most Calls that run at the same time; all by default. */
  readonly concurrency?: number | undefined
  /** Lets `Tool.any` and `Tool.race` take Tools declared `write`: what a loser did is not undone (TOOL-9). */
  readonly allowEffects?: boolean | undefined
  /**
   * Told of each Call as it ends, with its place in the list: a group gives outputs alone. What it throws goes to the console and
   * changes nothing.
   */
  readonly onOutcome?: ((outcome: Outcome, place: number) => void) | undefined
}
