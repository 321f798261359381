import type { AddressInfo } from 'node:net'
import { GeneratorError } from '../generator-error.ts'

/** Length of the queue of pending connections. Node's default of 511 refuses some of 2,000 simultaneous clients. */
const backlog = 4_096

/** A listening server. */
export interface Listening {
  /** Its URL without a path. */
  readonly url: string
  /** Stops accepting connections. */
  close(): void
  /** Closes all open connections. */
  drop(): void
}

/** Serves a web-standard handler over HTTP. @throws GeneratorError `invalid_usage` if it cannot listen. */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const { createAdaptorServer } = await import('@hono/node-server')
  const server = createAdaptorServer({ fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen({ port, host, backlog }, resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () => void server.close(),
    drop: () => {
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}

/** Converts a listening error that the user can fix, such as a used port. Returns other errors unchanged. */
export function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined || (syscall !== 'listen' && syscall !== 'getaddrinfo')) return error
  const isAboutPort = code === 'EADDRINUSE' || code === 'EACCES'
  const reason = code === 'EADDRINUSE' ? 'something else listens there' : code
  return new GeneratorError('invalid_usage', [
    {
      message: `Cannot listen on ${host}:${port}: ${reason}.`,
      fix: isAboutPort
        ? 'Pass another --port, or 0 for a free one.'
        : 'Pass a --host that is a name or an address of this machine, such as 127.0.0.1 or ::1.',
    },
  ])
}

/** Reads `--port`. @throws GeneratorError `invalid_usage`. */
export function portOf(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port < 65_536) return port
  throw new GeneratorError('invalid_usage', [
    { message: `--port takes a number from 0 to 65535, got "${text}".`, fix: 'Say --port 3000.' },
  ])
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
