import { vi } from 'vitest'

/** Longer than any timer of this project or of the client. */
const shortest = 1_000_000_000

/** A timer that ends when the test says so, and not by the clock. */
export interface HeldTimer {
  /** What to pass for milliseconds. */
  readonly wait: number
  /** Ends it, as if its time were over. */
  fire(): void
}

/** Takes `setTimeout` over for the waits that {@link HeldTimer}s give; every other timer stays as it is. */
export function holdTimers(): { readonly hold: () => HeldTimer; readonly release: () => void } {
  const original = globalThis.setTimeout
  const actions = new Map<number, () => void>()
  const held = (action: () => void, wait = 0, ...rest: []): NodeJS.Timeout => {
    if (wait < shortest) return original(action, wait, ...rest)
    actions.set(wait, action)
    const timer = original(() => {}, 0)
    return timer
  }
  // The one cast: nothing here uses what `util.promisify` finds on it.
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(held as typeof setTimeout)
  let next = shortest
  return {
    hold() {
      const wait = next++
      return { wait, fire: () => actions.get(wait)?.() }
    },
    release: () => spy.mockRestore(),
  }
}
