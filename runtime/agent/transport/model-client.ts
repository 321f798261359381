import { RequestError } from './request-error.ts'

/**
 * The part of the official `openai` client that Requests use. Anything with these two methods serves: the client of
 * any version, one for Azure, or a model of `callsheet/testing`.
 */
export interface ModelClient {
  readonly chat: {
    readonly completions: { create(body: never, options?: never): PromiseLike<unknown> }
  }
  readonly responses?: { create(body: never, options?: never): PromiseLike<unknown> }
}

/** Where the model is. */
export interface ConnectionOptions {
  /** A client of your own; `baseURL` and `apiKey` are then its business. */
  readonly client?: ModelClient | undefined
  /** Any server that speaks OpenAI's API; otherwise `OPENAI_BASE_URL`, otherwise OpenAI. */
  readonly baseURL?: string | undefined
  /** Otherwise `OPENAI_API_KEY`. */
  readonly apiKey?: string | undefined
}

/** Says what goes over the wire and how long it may take. */
export interface Invocation {
  readonly body: object
  readonly signal: AbortSignal
}

/**
 * Finds or makes the client. The `openai` package is loaded here and nowhere else, so that only who makes a Request
 * needs it.
 *
 * @throws RequestError `invalid_options` when the package is not installed or has no key.
 */
export async function modelClient({ client, baseURL, apiKey }: ConnectionOptions): Promise<ModelClient> {
  if (client) return client
  let module: typeof import('openai')
  try {
    module = await import('openai')
  } catch (cause) {
    throw new RequestError(
      'invalid_options',
      'A Request needs the package "openai", which is not installed. Run: npm install openai. Or pass { client }.',
      { cause },
    )
  }
  try {
    // Attempts are counted, summed and fed back here; the client's own repeats would hide them.
    return new module.OpenAI({
      maxRetries: 0,
      // What goes wrong is thrown; printed as well, it would put answers into people's logs.
      logLevel: 'off',
      ...(baseURL !== undefined && { baseURL }),
      ...(apiKey !== undefined && { apiKey }),
    }) as unknown as ModelClient
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new RequestError('invalid_options', `The "openai" client cannot be made: ${why}`, { cause })
  }
}

/** Sends one request, through the chat completions or the responses of the client. */
export async function invoke(
  client: ModelClient,
  api: 'chat' | 'responses',
  { body, signal }: Invocation,
): Promise<unknown> {
  const options = { signal, maxRetries: 0 }
  // The one cast: the client's parameters differ between its versions, and every one of them takes these.
  type Create = (body: object, options: object) => PromiseLike<unknown>
  if (api === 'chat') {
    const { completions } = client.chat
    return (completions.create as unknown as Create).call(completions, body, options)
  }
  const { responses } = client
  if (!responses) {
    throw new RequestError(
      'invalid_options',
      'The client has no `responses`. Use { api: "chat" }, or update "openai".',
    )
  }
  return (responses.create as unknown as Create).call(responses, body, options)
}
