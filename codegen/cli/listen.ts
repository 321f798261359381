import type { AddressInfo } from 'node:net'
import { GeneratorError } from '../generator-error.ts'

/** Connections that may wait to be accepted: with Node's own 511, some of 2,000 clients at once are turned away. */
const backlog = 4_096

/** A server that listens. */
export interface Listening {
  /** Where, as a URL without a path. */
  readonly url: string
  /** Takes no more connections. */
  close(): void
  /** Ends what is connected. */
  drop(): void
}

/** Puts a web-standard handler behind HTTP. @throws GeneratorError `invalid_usage` where it cannot listen. */
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

/** Why a server cannot listen, where that is for the user to change. */
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
export function portOf(text: string | undefined, unlessSaid: number): number {
  if (text === undefined) return unlessSaid
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
