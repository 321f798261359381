import { isJsonObject } from '../json/json.ts'
import type { Ending } from './ending.ts'
import type { Principal } from './gate.ts'

/** The header with the session of a client of MCP's earlier revision. */
export const sessionHeader = 'mcp-session-id'

/** The reason for which a Call is aborted that its client cancelled: MCP wants no response to its request. */
export class CancelledByClient extends Error {}

/** The sender of an MCP request. */
export interface McpAsker {
  readonly principal: Principal | undefined
  /** Absent for clients that cancel a request by closing its connection, and over stdio, where the SDK knows. */
  readonly session?: string | undefined
  /** True for a request of a batch, whose requests are answered together. */
  readonly isOneOfMany?: boolean
}

/**
 * Aborts the Calls that clients of MCP's earlier revision cancel over HTTP. They send that as a request of its own,
 * with an id that each client counts from 1, so only their session tells whose it is. A session has no state apart from
 * its running Calls.
 */
export class McpCancellations {
  readonly #running = new Map<string, Set<Ending>>()

  /** Registers a running Call. @returns A function that removes it. */
  add(asker: McpAsker, requestId: unknown, ending: Ending): () => void {
    const { session } = asker
    if (session === undefined) return () => undefined
    const key = keyOf(asker, requestId)
    const endings = this.#running.get(key) ?? new Set()
    this.#running.set(key, endings.add(ending))
    return () => {
      endings.delete(ending)
      if (endings.size === 0) this.#running.delete(key)
    }
  }

  /** Aborts what the notifications in a body cancel. */
  read(body: unknown, asker: McpAsker): void {
    if (asker.session === undefined) return
    for (const each of Array.isArray(body) ? body : [body]) {
      if (!isJsonObject(each) || each.method !== 'notifications/cancelled' || !isJsonObject(each.params))
        continue
      for (const ending of this.#running.get(keyOf(asker, each.params.requestId)) ?? [])
        ending.abort(new CancelledByClient('The client cancelled the request.'))
    }
  }
}

/** True for a body that begins a session. */
export function isInitialization(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some(
    (each) => isJsonObject(each) && each.method === 'initialize' && each.id !== undefined,
  )
}

function keyOf({ principal, session }: McpAsker, requestId: unknown): string {
  return JSON.stringify([principal?.id, session, requestId])
}
