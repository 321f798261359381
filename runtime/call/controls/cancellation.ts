import { ActivityError } from '../../errors.ts'

/** Work that can be cancelled. */
export interface Cancellable {
  cancel(reason: ActivityError): void
}

/**
 * A light-weight `AbortController`. It creates a real one only when `signal` is read: most Calls are never cancelled,
 * most Activities never read the signal, and a controller costs more than the rest of a Call.
 */
export class Cancellation implements Cancellable {
  /** Set once cancelled. */
  reason: ActivityError | undefined
  #listeners: Set<Cancellable> | undefined
  #controller: AbortController | undefined

  cancel(reason: ActivityError): void {
    if (this.reason) return
    this.reason = reason
    this.#controller?.abort(reason)
    const listeners = this.#listeners
    this.#listeners = undefined
    if (listeners) for (const each of listeners) each.cancel(reason)
  }

  /** Calls the listener when cancelled; at once if it already is. Returns a function that removes the listener. */
  onCancel(listener: (reason: ActivityError) => void): () => void {
    const work: Cancellable = { cancel: listener }
    this.add(work)
    return () => this.#listeners?.delete(work)
  }

  /** Cancels the work when this is cancelled; at once if it already is. Cannot be undone, unlike `onCancel`. */
  add(work: Cancellable): void {
    if (this.reason) {
      work.cancel(this.reason)
      return
    }
    this.#listeners ??= new Set()
    this.#listeners.add(work)
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
 * Cancels `inner` when a caller's AbortSignal aborts or an outer cancellation is cancelled.
 *
 * @returns A function that removes the listeners, so that a long-lived signal does not collect them.
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

/** One listener per signal, however many Calls it can stop: with eleven, Node would warn of a leak. */
const followersOf = new WeakMap<AbortSignal, Followers>()

function followSignal(inner: Cancellation, signal: AbortSignal): () => void {
  if (signal.aborted) {
    inner.cancel(abortedBy(signal))
    return doNothing
  }
  const followers = followersOf.get(signal) ?? listenTo(signal)
  followers.all.add(inner)
  return () => {
    if (!followers.all.delete(inner) || followers.all.size > 0) return
    signal.removeEventListener('abort', followers.onAbort)
    followersOf.delete(signal)
  }
}

function listenTo(signal: AbortSignal): Followers {
  const all = new Set<Cancellation>()
  const onAbort = (): void => {
    for (const each of all) each.cancel(abortedBy(signal))
  }
  const followers = { all, onAbort }
  followersOf.set(signal, followers)
  signal.addEventListener('abort', onAbort, { once: true })
  return followers
}

/** Creates the error of work that a caller's signal stopped. */
function abortedBy(signal: AbortSignal): ActivityError {
  return new ActivityError('aborted', 'Aborted by the caller’s signal.', { cause: signal.reason })
}

export function doNothing(): void {}
