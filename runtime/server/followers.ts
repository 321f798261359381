import { doNothing } from '../call/controls/cancellation.ts'
import type { OutcomeJson } from './outcome-json.ts'
import type { ServableTool } from './served-tools.ts'

/** Receives the events of a request. */
export interface Follower {
  progress?(event: { readonly id: string; readonly tool: string; readonly data: unknown }): void
  outcome?(outcome: OutcomeJson): void
}

type TellProgress = NonNullable<Follower['progress']>

/** Tells those who follow Calls of their progress, each with the id by which it knows the Call. */
export class Followers {
  readonly #byId = new Map<string, Set<TellProgress>>()
  readonly #stopListening: () => void

  constructor(tools: ServableTool) {
    this.#stopListening = tools.on('activity:progress', ({ id, tool, data }) => {
      for (const progress of this.#byId.get(id) ?? []) progress({ id, tool, data })
    })
  }

  /**
   * Tells of the progress of a Call from now on.
   *
   * @param known The id by which the follower knows the Call.
   * @returns A function that ends that.
   */
  follow(id: string, known: string, { progress }: Follower): () => void {
    if (!progress) return doNothing
    const followers = this.#byId.get(id) ?? new Set()
    const listener: TellProgress = (event) => progress({ ...event, id: known })
    this.#byId.set(id, followers.add(listener))
    return () => {
      followers.delete(listener)
      if (followers.size === 0) this.#byId.delete(id)
    }
  }

  close(): void {
    this.#stopListening()
  }
}
