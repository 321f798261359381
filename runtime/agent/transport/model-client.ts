import { longestWait } from '../../call/controls/start-timer.ts'
import { limitedFetch } from './limited-fetch.ts'
import type { ApiName } from './reply.ts'
import { RequestError } from './request-error.ts'

/**
 * The part of the official `openai` client that Requests use. Anything with these two methods serves: the client of
 * any version, one for Azure, or a model of `callsheet/testing`.
 */
export interface OpenAIClient {
  readonly chat: {
    readonly completions: { create(body: never, options?: never): PromiseLike<unknown> }
  }
  readonly responses?: { create(body: never, options?: never): PromiseLike<unknown> }
}

/** The part of the official `@anthropic-ai/sdk` client that Requests use; those for Bedrock and Vertex have it too. */
export interface AnthropicClient {
  readonly messages: { create(body: never, options?: never): PromiseLike<unknown> }
}

/** A client that Requests can be sent with: of `openai` or `@anthropic-ai/sdk`, or one like it. */
export type ModelClient = OpenAIClient | AnthropicClient

/** Where the model is. */
export interface ConnectionOptions {
  /** A client of your own; `baseURL` and `apiKey` are then its business. */
  readonly client?: ModelClient | undefined
  /** Whose client is made where none is given: `openai` (also for every server with its API), or `anthropic`. */
  readonly provider?: 'openai' | 'anthropic' | undefined
  /** Any server that speaks the provider's API; otherwise `OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL`, otherwise its own. */
  readonly baseURL?: string | undefined
  /** Otherwise `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string | undefined
}

/** Chooses the API of a Request: what is said, else what goes with the provider, else with the client. */
export function apiOf({ api, provider, client }: ConnectionOptions & { api?: ApiName | undefined }): ApiName {
  if (api) return api
  if (provider) return provider === 'anthropic' ? 'messages' : 'chat'
  return client && 'messages' in client && !('chat' in client) ? 'messages' : 'chat'
}

/** The dialect of an API's provider. */
export function dialectOf(api: ApiName): 'openai' | 'anthropic' {
  return api === 'messages' ? 'anthropic' : 'openai'
}

/**
 * Finds or makes the client. The providers' packages are loaded here and nowhere else, so that only who makes a Request
 * needs one of them.
 *
 * @throws RequestError `invalid_options` when the package is not installed or has no key.
 */
export async function modelClient(
  { client, baseURL, apiKey }: ConnectionOptions,
  api: ApiName,
  maxAnswer: number,
): Promise<object> {
  if (client) return client
  const name = api === 'messages' ? '@anthropic-ai/sdk' : 'openai'
  const Client = await clientClass(api, name)
  try {
    return new Client({
      maxRetries: 0,
      // How long an attempt may take is the Request's to say. The clients' own ten minutes would end it sooner, and that of Anthropic
      // refuses what could take longer.
      timeout: longestWait,
      // What goes wrong is thrown; printed as well, it would put answers into people's logs.
      logLevel: 'off',
      fetch: limitedFetch(maxAnswer),
      ...(baseURL !== undefined && { baseURL }),
      ...(apiKey !== undefined && { apiKey }),
    })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new RequestError('invalid_options', `The "${name}" client cannot be made: ${why}`, { cause })
  }
}

type ClientClass = new (options: {
  readonly maxRetries: number
  readonly timeout: number
  readonly logLevel: 'off'
  readonly fetch: typeof globalThis.fetch
  readonly baseURL?: string
  readonly apiKey?: string
}) => object

async function clientClass(api: ApiName, name: string): Promise<ClientClass> {
  try {
    // Each by its name, so that a bundler sees which it is.
    if (api === 'messages') return (await import('@anthropic-ai/sdk')).Anthropic
    return (await import('openai')).OpenAI
  } catch (cause) {
    throw new RequestError(
      'invalid_options',
      `A Request needs the package "${name}", which is not installed. Run: npm install ${name}. Or pass { client }.`,
      { cause },
    )
  }
}
