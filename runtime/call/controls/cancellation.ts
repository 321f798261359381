import { ActivityError } from '../../errors.ts'

/** What can be told that it must stop. */
export interface Cancellable {
  cancel(reason: ActivityError): void
}

/**
 * Why and when work must stop, without an `AbortController` until somebody asks for its signal: most Calls are never
 * cancelled and most Activities never look, and a controller costs more than the rest of a Call.
 */
export class Cancellation implements Cancellable {
  /** Set once cancelled. */
  reason: ActivityError | undefined
  #told: Set<Cancellable> | undefined
  #controller: AbortController | undefined

  cancel(reason: ActivityError): void {
    if (this.reason) return
    this.reason = reason
    this.#controller?.abort(reason)
    const told = this.#told
    this.#told = undefined
    if (told) for (const each of told) each.cancel(reason)
  }

  /** Calls back when cancelled, at once if it already is. Returns a function that forgets the listener. */
  onCancel(listener: (reason: ActivityError) => void): () => void {
    const one: Cancellable = { cancel: listener }
    this.tell(one)
    return () => this.#told?.delete(one)
  }

  /** As `onCancel`, for what may be kept as long as the cancellation is. */
  tell(one: Cancellable): void {
    if (this.reason) {
      one.cancel(this.reason)
      return
    }
    this.#told ??= new Set()
    this.#told.add(one)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.reason) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }
}

/**
 * Lets a caller's AbortSignal and an outer cancellation cancel this one.
 *
 * @returns A function that takes the listeners off again, so that a long-lived signal collects none.
 */
export function follow(
  inner: Cancellation,
  signal: AbortSignal | undefined,
  outer: Cancellation | undefined,
): () => void {
  const unfollow = outer?.onCancel((reason) => inner.cancel(reason)) ?? doNothing
  if (!signal) return unfollow
  const unfollowSignal = followSignal(inner, signal)
  return () => {
    unfollowSignal()
    unfollow()
  }
}

interface Followers {
  readonly all: Set<Cancellation>
  readonly onAbort: () => void
}

/** One listener on each signal, however many Calls it can stop: at the eleventh Node would warn of a leak. */
const followersOf = new WeakMap<AbortSignal, Followers>()

function followSignal(inner: Cancellation, signal: AbortSignal): () => void {
  if (signal.aborted) {
    inner.cancel(abortedBy(signal))
    return doNothing
  }
  const followers = followersOf.get(signal) ?? firstFollowers(signal)
  followers.all.add(inner)
  return () => {
    if (!followers.all.delete(inner) || followers.all.size > 0) return
    signal.removeEventListener('abort', followers.onAbort)
    followersOf.delete(signal)
  }
}

function firstFollowers(signal: AbortSignal): Followers {
  const all = new Set<Cancellation>()
  const onAbort = (): void => {
    for (const each of all) each.cancel(abortedBy(signal))
  }
  const followers = { all, onAbort }
  followersOf.set(signal, followers)
  signal.addEventListener('abort', onAbort, { once: true })
  return followers
}

/** The error of work that a caller's signal stopped. */
function abortedBy(signal: AbortSignal): ActivityError {
  return new ActivityError('aborted', 'Aborted by the caller’s signal.', { cause: signal.reason })
}

export function doNothing(): void {}
