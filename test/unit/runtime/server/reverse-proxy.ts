import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** What a proxy does to what passes it; each on its own. */
export const proxyHabits = [
  'passes all on',
  'keeps the host',
  'passes on no accept',
  'cuts the prefix',
  'waits for the whole answer',
  'compresses',
  'sends a byte at a time',
] as const
export type ProxyHabit = (typeof proxyHabits)[number]

/** The prefix below which a proxy has its server. */
export const proxyPrefix = '/agents/tools'

/** Puts a proxy in front of a server. @returns Where the server is for those who ask the proxy. */
export async function behindProxy(target: string, habit: ProxyHabit): Promise<string> {
  const { host, hostname, port } = new URL(target)
  const url = await answering((asked, answer) => {
    const { headers: given, method, url: at = '/' } = asked
    const headers: IncomingHttpHeaders = { ...given, 'x-forwarded-host': given.host ?? '' }
    if (habit !== 'keeps the host') headers.host = host
    if (habit === 'passes on no accept') headers.accept = '*/*'
    const path = habit === 'cuts the prefix' ? at.slice(proxyPrefix.length) : at
    const onward = request({ hostname, port, path, method, headers }, (came) =>
      passOn(came, answer, habit),
    ).on('error', () => answer.destroy())
    asked.pipe(onward)
    answer.on('close', () => onward.destroy())
  })
  return habit === 'cuts the prefix' ? url + proxyPrefix : url
}

function passOn(came: IncomingMessage, answer: ServerResponse, habit: ProxyHabit): void {
  const { 'content-length': length, ...headers } = came.headers
  const status = came.statusCode ?? 502
  if (habit === 'compresses') {
    answer.writeHead(status, { ...headers, 'content-encoding': 'gzip' })
    came.pipe(createGzip()).pipe(answer)
  } else if (habit === 'waits for the whole answer') {
    const chunks: Buffer[] = []
    came.on('data', (chunk) => chunks.push(chunk))
    came.on('end', () => answer.writeHead(status, headers).end(Buffer.concat(chunks)))
  } else if (habit === 'sends a byte at a time') {
    answer.writeHead(status, headers)
    came.on('data', (chunk: Buffer) => {
      for (const byte of chunk) answer.write(Buffer.of(byte))
    })
    came.on('end', () => answer.end())
  } else came.pipe(answer.writeHead(status, came.headers))
}

/** A server that answers everything in one way, until the test is over. @returns Its URL. */
export async function answering(
  answer: (asked: IncomingMessage, answer: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
