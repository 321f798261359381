import type { Call } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import { messageOf } from '../problems/message-of.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import type { Outcome } from './outcome.ts'

/** The events of `Tool.on`, and the data that each listener receives (CALL-10). */
export interface Events {
  /** A Call was accepted and is about to be checked. */
  'call:start': { readonly id: string; readonly call: Call }
  /** A Call ended, whatever its status. Emitted for Calls that were accepted after the listener was added. */
  'call:end': Outcome
  /** A Tool was registered, replaced or removed (TOOL-8). */
  'tool:changed': { readonly tool: string }
  /** A Tool names an Activity that is not registered (ACT-4). */
  'activity:missing': { readonly id: string; readonly tool: string; readonly activity: string }
  /**
   * A Tool runs latently by omission: it has no `_activity: ''`, and no Activity of its name is registered or found
   * (ACT-3b). Emitted for the first such Call of a Tool. Without a listener a warning is printed instead.
   */
  'activity:latent': { readonly id: string; readonly tool: string }
  /** An Activity replaced another one of its name and variant. Without a listener a warning is printed instead. */
  'activity:replaced': { readonly activity: string; readonly variant: string }
  /** What an Activity reported with `run.emit`. */
  'activity:progress': {
    readonly id: string
    readonly tool: string
    readonly attempt: number
    readonly data: unknown
  }
  /** An attempt failed and another one follows. */
  'activity:retry': {
    readonly id: string
    readonly tool: string
    readonly attempt: number
    readonly error: Error
  }
  /** Two implementations of a Call were compared, and both have ended (ACT-5). */
  'activity:compare': { readonly primary: Outcome; readonly shadow: Outcome }
  /**
   * A listener threw: its error, and the name of its event. Also emitted for errors that belong to no Call: `event` is
   * then `telemetry` for a tracer that threw, `enabled` for a Tool whose `enabled` threw while Tools were listed, and
   * `tool` for a malformed Tool in a context.
   */
  'listener:error': { readonly event: string; readonly error: unknown }
}

/** The name of an event that `Tool.on` listens to. */
export type EventName = keyof Events

const eventNames = Object.keys({
  'call:start': true,
  'call:end': true,
  'tool:changed': true,
  'activity:missing': true,
  'activity:latent': true,
  'activity:replaced': true,
  'activity:progress': true,
  'activity:retry': true,
  'activity:compare': true,
  'listener:error': true,
} satisfies Record<EventName, true>)

/** Most failures that are logged with their stack. */
const mostLogged = 100

/**
 * Emits events to listeners. A listener that throws, or whose promise rejects, never disturbs a Call: its error goes to
 * the listeners of `listener:error`, or to the console if there are none.
 */
export class Emitter {
  readonly #listeners = new Map<string, Set<(data: never) => void>>()
  /** The failures that the console has shown. */
  readonly #logged = new Set<string>()

  /**
   * @returns A function that removes the listener.
   * @throws CallsheetError `invalid_options` for an event that does not exist, and for a listener that is not a
   * function.
   */
  on<Name extends EventName>(name: Name, listener: (data: Events[Name]) => void): () => void {
    if (!eventNames.includes(name)) {
      throw new CallsheetError(
        'invalid_options',
        `There is no event ${briefly(name)}. Events: ${eventNames.join(', ')}.`,
        { suggestions: typeof name === 'string' ? nearest(name, eventNames) : [] },
      )
    }
    if (typeof listener !== 'function') {
      throw new CallsheetError('invalid_options', `A listener is a function: got ${briefly(listener)}.`)
    }
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => {
      listeners.delete(listener)
    }
  }

  /** Returns true if the event has a listener, so that callers can skip building its data. */
  has(name: EventName): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0
  }

  emit<Name extends EventName>(name: Name, data: Events[Name]): void {
    const listeners = this.#listeners.get(name) as Set<(data: Events[Name]) => void> | undefined
    if (!listeners) return
    // A copy, since a listener may add or remove listeners.
    for (const listener of [...listeners]) {
      try {
        const result: unknown = listener(data)
        if (result instanceof Promise) result.catch((error: unknown) => this.failed(name, error))
      } catch (error) {
        this.failed(name, error)
      }
    }
  }

  /**
   * Reports an error that belongs to no Call: to the listeners of `listener:error`, or to the console if there are
   * none.
   */
  failed(event: string, error: unknown, what: string = `a listener of "${event}" threw.`): void {
    if (event !== 'listener:error' && this.has('listener:error'))
      this.emit('listener:error', { event, error })
    else this.#log(`callsheet: ${what}`, error)
  }

  /**
   * Logs each failure once with its stack: an `enabled` that throws does so for every request. Many different ones get
   * a line each.
   */
  #log(what: string, error: unknown): void {
    const text = `${what} ${messageOf(error)}`
    if (this.#logged.has(text)) return
    if (this.#logged.size >= mostLogged) {
      console.error(text)
      return
    }
    this.#logged.add(text)
    console.error(what, error)
  }
}
