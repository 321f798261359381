import { isCallsheetError } from '../../errors.ts'
import { isJsonObject, type JsonObject, own } from '../../json/json.ts'
import { messageOf } from '../../problems/message-of.ts'
import { ended } from '../../problems/problem.ts'
import { shorten } from '../../problems/shorten.ts'
import { RequestError } from './request-error.ts'

/** Converts the failure of an attempt to a RequestError, whichever copy or version of the client threw it. */
export function requestFailure(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown
  // A client may wrap the exceptions of its `fetch`.
  if (thrown instanceof Error && thrown.cause instanceof RequestError) return thrown.cause
  if (isCallsheetError(thrown)) {
    const { problems, suggestions } = thrown
    return new RequestError(thrown.code, thrown.message, { problems, suggestions, cause: thrown })
  }
  const { status, headers, error } = isJsonObject(thrown) ? thrown : {}
  const message = briefText(saidIn(error) ?? messageOf(thrown))
  const unread = unreadAnswer(error, thrown)
  if (unread) return unread
  if (typeof status === 'number') return httpFailure(status, headers, message, thrown)
  // An error within a stream, sent after the status.
  if (isJsonObject(error)) {
    const limited = levelsOf(error).some((each) =>
      [own(each, 'code'), own(each, 'type')].some(
        (name) => name === 429 || (typeof name === 'string' && name.includes('rate_limit')),
      ),
    )
    const what = limited
      ? 'The server limited the rate in the middle of its answer'
      : 'The server failed in the middle of its answer'
    return new RequestError(limited ? 'rate_limited' : 'server_error', `${what}: ${message}`, {
      cause: thrown,
    })
  }
  if (thrown instanceof SyntaxError) {
    return new RequestError('answer_invalid', `The server sent something that is not JSON: ${message}`, {
      cause: thrown,
    })
  }
  const reasons = causesOf(thrown)
  const why = reasons.length > 0 ? ` (${reasons.join(': ')})` : ''
  const wrong = unsent.find(([said]) => said.test(`${message}${why}`))
  if (wrong) {
    const [, secretly] = wrong
    const sentence = `The client asked nobody: ${secretly ?? ended(message)} Look at apiKey and baseURL, or at what the environment says in their place.`
    return new RequestError('invalid_options', sentence, secretly === undefined ? { cause: thrown } : {})
  }
  // The client reports an unreachable server in the same way as a non-streamed answer that comes too late.
  const isLate = /timed out|headers timeout/i.test(`${message}${why}`)
  const hint = isLate
    ? ' Either the server cannot be reached, or its answer did not begin within the five minutes that Node waits: a slow model takes { stream: true }.'
    : ''
  return new RequestError(
    'connection_failed',
    `The connection to the model failed: ${message}${why}${hint}`,
    {
      cause: thrown,
    },
  )
}

/** Codes for an answer of the model that its server could not read, and refuses as if the request were wrong: Groq's. */
const unreadCodes: readonly unknown[] = ['tool_use_failed', 'json_validate_failed', 'output_parse_failed']

/** Most characters of such an answer that are kept and sent back: a model that repeats itself may have written without end. */
const longestUnread = 100_000

/** Builds the error of such an answer: the model made the mistake, and another answer can be right. */
export function unreadAnswer(error: unknown, cause: unknown): RequestError | undefined {
  const refused = levelsOf(error).find((each) => unreadCodes.includes(own(each, 'code')))
  if (!refused) return undefined
  const { code, message, failed_generation: written } = refused
  const why = ended(briefText(String(typeof message === 'string' ? message : code)))
  return new RequestError('answer_invalid', `The server could not read the model's answer: ${why}`, {
    ...(typeof written === 'string' && { text: shorten(written, longestUnread) }),
    cause,
  })
}

/** The body of a failure, and the error in it: clients pass on either. */
function levelsOf(body: unknown): JsonObject[] {
  return [body, isJsonObject(body) ? own(body, 'error') : undefined].filter(isJsonObject)
}

/** Returns the message in the body of a failure. The message of Anthropic's client is the whole body. */
function saidIn(body: unknown): string | undefined {
  const inner = isJsonObject(body) ? own(body, 'error') : undefined
  const said = isJsonObject(inner) ? own(inner, 'message') : undefined
  return typeof said === 'string' && said !== '' ? said : undefined
}

/**
 * Errors of the clients about missing or wrong settings, which they throw with the first request and not at creation. Those that
 * quote the key or a password have a sentence that replaces them, cause included.
 */
const unsent: readonly (readonly [said: RegExp, instead?: string])[] = [
  [/^(?:Could not resolve authentication method|Invalid URL)/],
  [
    // As Node says it, and Bun.
    /is an invalid header value|^Header '[^']*' has invalid value|to a ByteString/,
    'a header, most likely that of the key, has a line break or another character that no header may have.',
  ],
  [/URL that includes credentials/, 'baseURL has a user name or password in it, which `fetch` refuses.'],
]

/**
 * Lists the messages of an error's causes, outermost first: `fetch failed` is useless, `connect ECONNREFUSED
 * 127.0.0.1:11434` is not.
 */
function causesOf(thrown: unknown): string[] {
  const reasons: string[] = []
  for (let at = causeOf(thrown); at !== undefined && reasons.length < deepestCause; at = causeOf(at)) {
    reasons.push(messageOf(at))
  }
  return reasons
}

const deepestCause = 4

function causeOf(thrown: unknown): unknown {
  return isJsonObject(thrown) ? thrown.cause : undefined
}

/** Shortens a server's message to what a person reads; the cause has all of it. */
export function briefText(text: string): string {
  return shorten(text, 500)
}

/** Builds the error of a response with a failure status. */
export function httpFailure(status: number, headers: unknown, text: string, cause: unknown): RequestError {
  // The clients prefix the server's message with the status.
  const said = text.startsWith(`${status} `) ? text.slice(`${status} `.length) : text
  if (status === 429) {
    const retryAfter = waitOf(headers)
    const wait = retryAfter === undefined ? '' : ` It asks to wait ${retryAfter} ms.`
    return new RequestError('rate_limited', `The server limits the rate: ${said}.${wait}`, {
      status,
      retryAfter,
      cause,
    })
  }
  // A conflict is a lock that another request holds: it passes, and the clients' own retries include it.
  if (status >= 500 || status === 408 || status === 409) {
    const details = { status, retryAfter: waitOf(headers), cause }
    return new RequestError('server_error', `The server failed with ${status}: ${said}`, details)
  }
  const hint = hintFor(status, said)
  const message = `The server refused the request with ${status}: ${hint ? `${ended(said)} ${hint}` : said}`
  return new RequestError('bad_request', message, { status, cause })
}

/** Returns the next step after a refusal, as far as the server's words show one. */
function hintFor(status: number, said: string): string | undefined {
  if (/(?:\buse|only supported in) \/?v1\/responses/i.test(said))
    return "The option for that is { api: 'responses' }."
  if (/Item with id|reasoning item/i.test(said) && /not found|expired/i.test(said)) return unknownItem
  if (status === 404) return nothingThere
  return isAboutBody(status, said) ? hints.find(([words]) => words.test(said))?.[1] : undefined
}

/** Explains a 404, since servers rarely state whether the path or the model is unknown. */
const nothingThere =
  "Either it has no such model, or baseURL leads elsewhere: OpenAI's and compatible ones mostly end in /v1, Anthropic's does not, and the client adds the rest."

/** Explains a refused id of an earlier answer. */
const unknownItem =
  'It has not stored what the model said before: with { body: { store: false } } the run sends that in full, without ids.'

/** True if a server may refuse a property of the body. If a schema is wrong, it says that it is invalid. */
function isAboutBody(status: number, said: string): boolean {
  return (status === 400 || status === 422) && !/invalid schema/i.test(said)
}

/** What servers say that refuse a property of a body, and the option that leaves it out. */
const hints: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /compiled grammar|too complex for compilation|too many optional parameters|with union types/i,
    "The provider compiles one grammar of all strict tools and the schema of the answer, and limits its size. Offer fewer Tools, or send { strict: false }, and for a large schema of the answer { responseFormat: 'text' }.",
  ],
  [
    /\bx?grammar\b|schema conversion|must start with '\^'/i,
    "A server that compiles the schema to a grammar takes less in it than OpenAI does. Name its engine: { dialect: 'llama.cpp' } (LM Studio too), or { dialect: 'xgrammar' } (vLLM, SGLang).",
  ],
  [
    /tools\b.*(?:too long|too many|at most|maximum|exceed)|too many (?:tools|functions)/i,
    'If it takes fewer tools, offer some of them with `only`, or let the model find them: { search: {} }.',
  ],
  [/stream_options/, 'If it does not know the property, leave it out: { body: { stream_options: null } }.'],
  [/\bstrict\b/i, 'If it does not know `strict`, leave that out: { strict: false }.'],
  [
    /response[_ ](?:format|mime type)|json_schema|structured output|json mode|output_config/i,
    "If it takes no schema, or none beside tools, send { responseFormat: 'text' }: the prompt then says what to answer.",
  ],
]

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date. @returns Milliseconds. */
function waitOf(headers: unknown): number | undefined {
  const milliseconds = Number.parseFloat(header(headers, 'retry-after-ms') ?? '')
  if (milliseconds >= 0 && Number.isFinite(milliseconds)) return milliseconds
  const text = header(headers, 'retry-after')
  if (text === undefined) return undefined
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Number(text) * 1000
  // A date contains a time. Without one it is a malformed number such as "-5", which the engine would parse as a year.
  const date = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

function header(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = isJsonObject(headers) ? own(headers, name) : undefined
  return typeof value === 'string' ? value : undefined
}

/** True if another attempt may succeed: the request itself is not wrong. */
export function isPassing({ code, cause }: RequestError): boolean {
  const { code: said, headers } = isJsonObject(cause) ? cause : {}
  // A used-up quota is a 429 too, and waiting does not help.
  if (said === 'insufficient_quota') return false
  // The providers' own servers say it where they know better, and their clients obey.
  const told = header(headers, 'x-should-retry')
  if (told === 'true' || told === 'false') return told === 'true'
  return code === 'rate_limited' || code === 'server_error' || code === 'connection_failed'
}
