import type { JSONRPCMessage, JSONRPCResponse, Transport } from '@modelcontextprotocol/server'
import { CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { atMost } from './in-time.ts'
import type { McpSdk } from './load-mcp-sdk.ts'

/** Most bytes of one message: what the SDK's own transport reads. */
const longest = 10 * 1024 * 1024

/** Most bytes of a message to the client, which reads as many, but counts the beginning of the next messages with it. */
const longestSent = 10_000_000

const lineFeed = 10

/**
 * Connects the MCP SDK to standard input and output, with a message on each line. Unlike the transport of the SDK, it answers lines that are
 * no message, so that nobody waits for them, and goes on writing when the input ends: a shell pipe closes its input and still reads the
 * output.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage']
  onerror?: (error: Error) => void
  onclose?: () => void
  /** Resolves when the input has ended, or the connection broke: the output is gone, or a message was too long. */
  readonly ended: Promise<void>
  readonly #sdk: McpSdk
  readonly #input = process.stdin
  readonly #output = process.stdout
  readonly #write: (text: string, done: (error?: Error | null) => void) => void
  /** The requests without a response. */
  readonly #unanswered = new Set<unknown>()
  readonly #whenAnswered = new Set<() => void>()
  /** The parts of a line that has no end yet, and their length. */
  #parts: Buffer[] = []
  #length = 0
  #isClosed = false
  #end: () => void = () => undefined

  /** @param output Replaces standard output, for a process that has replaced its own. */
  constructor(sdk: McpSdk, output?: (text: string) => void) {
    this.#sdk = sdk
    this.#write = output
      ? (text, done) => {
          output(text)
          done()
        }
      : (text, done) => this.#output.write(text, done)
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  async start(): Promise<void> {
    const input = this.#input
    if (input.readableEnded || input.destroyed) setImmediate(this.#end)
    input.on('data', this.#onData).on('error', this.#onInputError).once('end', this.#onEnd)
    input.once('close', this.#end)
    this.#output.off('error', ignoreLateError).on('error', this.#onOutputError)
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection is closed.'))
    const line = this.#lineOf(message)
    const written = new Promise<void>((resolve, reject) => {
      if (line === undefined) resolve()
      else this.#write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
    })
    return 'id' in message && !('method' in message)
      ? written.finally(() => this.#forget(message.id))
      : written
  }

  /**
   * Returns a message as text. Of a message that is too long, a client reads nothing and closes the connection, with all other requests
   * on it: a response says so instead, and a notification is dropped, which gives undefined.
   */
  #lineOf(message: JSONRPCMessage): string | undefined {
    const line = JSON.stringify(message)
    const length = Buffer.byteLength(line)
    if (length <= longestSent) return line
    this.onerror?.(
      new Error(`A message of ${length} bytes was not sent: clients read ${longestSent} at most.`),
    )
    return 'id' in message && !('method' in message) ? JSON.stringify(tooLong(message, length)) : undefined
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const input = this.#input
    input.off('data', this.#onData).off('error', this.#onInputError).off('end', this.#onEnd)
    // Do not let input that nobody reads keep the process alive.
    if (input.listenerCount('data') === 0) input.pause()
    this.#output.off('error', this.#onOutputError).off('error', ignoreLateError).on('error', ignoreLateError)
    this.#parts = []
    this.#unanswered.clear()
    this.#tellAnswered()
    this.#end()
    this.onclose?.()
  }

  /** Resolves when every request has its response, or after the time limit. */
  async allAnswered(time: number): Promise<void> {
    if (this.#unanswered.size === 0) return
    await atMost(time, (done) => {
      this.#whenAnswered.add(done)
    })
  }

  readonly #onData = (chunk: Buffer): void => {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#takeLine()
      if (this.#isClosed) return
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length <= longest) {
      this.#parts.push(part)
      return
    }
    this.onerror?.(new Error(`A message is longer than ${longest} bytes, and the connection was closed.`))
    void this.close()
  }

  #takeLine(): void {
    if (this.#isClosed) return
    const line = Buffer.concat(this.#parts)
    this.#parts = []
    this.#length = 0
    let value: unknown
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(line)
      if (text.trim() === '') return
      value = JSON.parse(text)
    } catch {
      this.#refuse([null], -32700, 'A line of the input is not JSON')
      return
    }
    let message: JSONRPCMessage
    try {
      message = this.#sdk.parseJSONRPCMessage(value)
    } catch {
      this.#refuse(idsOf(value), -32600, 'A line of the input is JSON, but no message of JSON-RPC')
      return
    }
    this.#note(message)
    this.onmessage?.(message)
  }

  /** Answers what is no message: with its ids, or with null if nobody can tell whose it is. */
  #refuse(ids: readonly (string | number | null)[], code: number, problem: string): void {
    this.onerror?.(new CallsheetError('malformed_json', `${problem}, and was ignored.`))
    for (const id of ids) {
      const answer = JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: `${problem}.` } })
      this.#write(`${answer}\n`, () => undefined)
    }
  }

  #note(message: JSONRPCMessage): void {
    if (!('method' in message)) return
    // Subscriptions never end, and cancelled requests get no response.
    if ('id' in message && message.method !== 'subscriptions/listen') this.#unanswered.add(message.id)
    if (message.method === 'notifications/cancelled') this.#forget(message.params?.requestId)
  }

  #forget(id: unknown): void {
    this.#unanswered.delete(id)
    if (this.#unanswered.size === 0) this.#tellAnswered()
  }

  #tellAnswered(): void {
    for (const done of this.#whenAnswered) done()
    this.#whenAnswered.clear()
  }

  /** The last line may lack its end. */
  readonly #onEnd = (): void => {
    this.#takeLine()
    setImmediate(this.#end)
  }

  readonly #onInputError = (error: Error): void => this.onerror?.(error)

  readonly #onOutputError = (error: NodeJS.ErrnoException): void => {
    // A client that reads no more has left, which is no failure.
    if (error.code !== 'EPIPE') this.onerror?.(error)
    void this.close()
  }
}

/** Builds the response in place of one that a client could not read: for a Call, one that the client's model reads. */
function tooLong({ id, ...answer }: JSONRPCResponse, length: number): object {
  const message = `The request has been carried out, but its result of ${length} bytes cannot be sent: over stdio, clients read ${longestSent} at most. Do not repeat it for this.`
  const result = 'result' in answer ? answer.result : undefined
  if (!result || !('content' in result)) return { jsonrpc: '2.0', id, error: { code: -32603, message } }
  const { structuredContent: _, ...rest } = result
  const content = [{ type: 'text', text: message }]
  return { jsonrpc: '2.0', id, result: { ...rest, content, isError: true } }
}

/** Who closed the connection no longer cares whether its last message arrived. */
function ignoreLateError(): void {}

/** Returns the ids of a malformed request, or of those of a batch. A malformed response or notification is not answered. */
function idsOf(value: unknown): (string | number | null)[] {
  if (Array.isArray(value)) {
    const ids = value.flatMap((each) => (Array.isArray(each) ? [] : idsOf(each)))
    return ids.length === 0 ? [null] : ids
  }
  if (!isJsonObject(value)) return [null]
  const { id, method } = value
  if (method === undefined && ('result' in value || 'error' in value)) return []
  if (typeof id === 'string' || typeof id === 'number') return [id]
  return id === undefined && method !== undefined ? [] : [null]
}
