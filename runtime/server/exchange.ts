import type { ServerLimits } from './limits.ts'

/** Counts the bytes of bodies that are in memory. */
export interface HeldBytes {
  /** @throws ServerProblem `busy` where that is more than all requests together may hold. */
  add(bytes: number): void
}

/** A request as the server reads it, whichever way it came: as a web-standard one, or from a socket of Node's. */
export interface ServerRequest {
  readonly method: string
  /** The path of its URL: begins with a slash, dots in it are resolved. */
  readonly path: string
  /** The host name of its URL, for a request without the header. */
  readonly urlHost: string
  /** The host and port in a target of absolute form (`GET http://host/path`), which must be admitted as the header must. */
  readonly targetHost: string | undefined
  /** A header by its name in small letters; several of one name are joined by commas. */
  header(name: string): string | undefined
  /**
   * The bytes of its body.
   *
   * @param held Told of them as they come.
   * @throws ServerProblem `too_large`, and `bad_request` for one that is late or broke off.
   */
  body(limits: ServerLimits, held?: HeldBytes): Uint8Array | Promise<Uint8Array>
  /** Calls back when the client leaves, at once if it has left. @returns A function that forgets the listener. */
  onLeave(listener: (reason: unknown) => void): () => void
  /**
   * As a web-standard request, for those who take one; the same each time.
   *
   * @param limits What whoever reads its body may read of it.
   */
  webRequest(limits: ServerLimits, held?: HeldBytes): Request
}

/** What a request is answered with. */
export interface Answer {
  readonly status: number
  /** Each answer's own: the server adds to them. */
  readonly headers: Record<string, string>
  readonly body: string | ReadableStream<Uint8Array> | null
}

/** Answers with JSON. */
export function jsonAnswer(value: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
