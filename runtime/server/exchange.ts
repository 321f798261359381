import type { ServerLimits } from './limits.ts'

/** Counts the bytes of bodies in memory. */
export interface HeldBytes {
  /** @throws ServerProblem `busy` if all requests together would exceed the limit. */
  add(bytes: number): void
}

/** A request to the server, either a web-standard one or one from a Node socket. */
export interface ServerRequest {
  readonly method: string
  /** The path of its URL: begins with a slash, dot segments are resolved. */
  readonly path: string
  /** The host name of its URL, for a request without the `host` header. */
  readonly urlHost: string
  /** The host and port of an absolute request target (`GET http://host/path`), which are checked like the header. */
  readonly targetHost: string | undefined
  /** Returns a header by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined
  /**
   * Reads the body.
   *
   * @param held Counts the bytes as they arrive.
   * @throws ServerProblem `too_large`, and `bad_request` if it is late or breaks off.
   */
  body(limits: ServerLimits, held?: HeldBytes): Uint8Array | Promise<Uint8Array>
  /** Calls a listener when the client leaves, at once if it has left. @returns A function that removes the listener. */
  onLeave(listener: (reason: unknown) => void): () => void
  /**
   * Returns the request as a web-standard one; the same object each time.
   *
   * @param limits The limits for reading its body.
   */
  webRequest(limits: ServerLimits, held?: HeldBytes): Request
}

/** A response. */
export interface Answer {
  readonly status: number
  /** A separate object for each response, since the server adds to it. */
  readonly headers: Record<string, string>
  readonly body: string | ReadableStream<Uint8Array> | null
}

/** Builds a JSON response. */
export function jsonAnswer(value: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
