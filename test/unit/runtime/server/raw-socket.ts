import { connect, type Socket } from 'node:net'

export const json = 'content-type: application/json'

/** A request as text, and the beginning of its body. */
export function request(line: string, headers: readonly string[], body = ''): string {
  return `${line} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

/** A whole request for JSON. */
export function posting(path: string, body: string, headers: readonly string[] = []): string {
  const length = `content-length: ${Buffer.byteLength(body)}`
  return request(`POST ${path}`, ['host: localhost', json, length, ...headers], body)
}

/** Connects, and says nothing yet. */
export function open(url: string): Socket {
  return connect(Number(new URL(url).port), '127.0.0.1')
}

/** Sends bytes as they are. @returns What came back until the server closed, or had nothing more to say. */
export function send(url: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = open(url)
    let answer = ''
    const done = (): void => {
      socket.destroy()
      resolve(answer)
    }
    for (const part of parts) socket.write(part)
    socket.on('data', (data) => {
      answer += String(data)
      // A head, and either a whole body or none.
      if (/\r\n\r\n(?:\{[\s\S]*\}|0\r\n\r\n|.*)$/.test(answer)) setTimeout(done, 50)
    })
    socket.on('error', done).on('close', done)
  })
}

/** Reads until the server closes. @returns What it said, and after how many milliseconds it closed. */
export function untilClosed(socket: Socket): Promise<{ readonly said: string; readonly after: number }> {
  const start = performance.now()
  return new Promise((resolve) => {
    let said = ''
    socket.on('data', (data) => {
      said += String(data)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({ said, after: performance.now() - start }))
  })
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}
