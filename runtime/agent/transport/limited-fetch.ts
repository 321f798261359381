import { doNothing } from '../../call/controls/cancellation.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { jsonOr } from '../../json/json-or.ts'
import { aFunction, type FieldRule } from '../../problems/field-rule.ts'
import { requireArgument } from '../../problems/option-problems.ts'
import { LimitedBody } from './limited-body.ts'
import { RequestError } from './request-error.ts'
import { httpFailure } from './request-failure.ts'

type Fetch = typeof globalThis.fetch

/** Allowance for what JSON, escapes and the API's envelope add to the characters of an answer. */
const overhead = 8
const framing = 1 << 20

/** What `maxAnswer` takes. */
export const characterLimit: FieldRule = [
  (value) => typeof value === 'number' && value > 0,
  'characters above 0',
]

/** The most characters of an answer unless the option `maxAnswer` is set. */
export const defaultMaxAnswer = 2_000_000

/**
 * Creates a `fetch` that aborts an endless answer: otherwise a client reads a whole body, or a whole event of a stream, before its
 * length can be checked. Requests use it for the clients that they create; pass it to a client of your own.
 *
 * @param characters Most characters of an answer, as in `maxAnswer`. Bodies may have eight times as many bytes and one MiB more,
 * for what JSON adds.
 * @param send The `fetch` that sends. Default: the global one.
 * @returns A function that rejects as `fetch` does; reading an answer that is too long rejects with RequestError `limit_reached`.
 * @throws CallsheetError `invalid_options` for other arguments.
 *
 * @example
 * ```ts
 * import { limitedFetch } from 'callsheet/agent'
 * import { OpenAI } from 'openai'
 *
 * const client = new OpenAI({ maxRetries: 0, fetch: limitedFetch() })
 * ```
 */
export function limitedFetch(characters: number = defaultMaxAnswer, send: Fetch = fetch): Fetch {
  requireArgument('limitedFetch', characters, characterLimit)
  requireArgument('limitedFetch', send, aFunction)
  const most = longestBody(characters)
  return async (input, init) => {
    const response = await send(input, init)
    if (!response.body) return response
    const isStream =
      isStreamAskedFor(init?.body) && (response.headers.get('content-type') ?? '').includes('event-stream')
    const body = new LimitedBody(isStream, most)
    let onData: DataListener = doNothing
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const whole = body.push(chunk)
        onData(isStream && saysDone(whole))
        if (body.isTooLong) controller.error(answerTooLong(characters))
        else if (whole) controller.enqueue(whole)
      },
      flush(controller) {
        const rest = body.end()
        if (saysDone(rest)) onData(true)
        if (rest) controller.enqueue(rest)
      },
    })
    const { status, statusText, headers } = response
    if (status > 599) throw httpFailure(status, headers, 'HTTP has no such status', undefined)
    const limited = new Response(response.body.pipeThrough(counted), { status, statusText, headers })
    dataListeners.set(limited, (listener) => {
      onData = listener
    })
    if (response.ok) return limited
    return new Response(withError(await limited.text()), { status, statusText, headers })
  }
}

/** Returns the most bytes of a body, or of an event of a stream, whose answer may have so many characters. */
export function longestBody(characters: number): number {
  return characters * overhead + framing
}

/** Receives true with the piece by which a server says that its stream is complete. */
type DataListener = (isLast: boolean) => void

/** Sets the listener of a response that {@link limitedFetch} returned. */
const dataListeners = new WeakMap<Response, (listener: DataListener) => void>()

/** True if the one is among the last events that completes a stream of OpenAI's API, which the clients drop. */
function saysDone(events: Uint8Array | undefined): boolean {
  return /^data: ?\[DONE\]\s*$/m.test(new TextDecoder().decode(events?.subarray(-64)))
}

/**
 * Reports each piece of a response's body, even those that the clients drop: the comments and pings by which a server shows that it
 * is alive while its model thinks. Responses that did not come through {@link limitedFetch} report nothing.
 */
export function listenForData(response: Response, listener: DataListener): void {
  dataListeners.get(response)?.(listener)
}

/**
 * Moves a server's error into `error`, where the clients look for it; otherwise OpenAI's reports "no body". Gemini
 * sends an array with one error, others send `detail` or a bare `message`.
 */
function withError(text: string): string {
  const said = jsonOr(text, undefined)
  const whole = Array.isArray(said) && said.length === 1 ? said[0] : said
  return isJsonObject(whole) ? JSON.stringify(own(whole, 'error') ? whole : { error: whole }) : text
}

/** True unless a request certainly asks for no stream: then a client reads the whole body, whatever its type. */
function isStreamAskedFor(body: unknown): boolean {
  return typeof body !== 'string' || body.includes('"stream":true')
}

export function answerTooLong(characters: number): RequestError {
  return new RequestError(
    'limit_reached',
    `The answer is longer than maxAnswer allows: ${characters} characters. Raise it if such an answer is meant.`,
  )
}
