import { longestWait } from '../../call/controls/start-timer.ts'
import { limitedFetch } from './limited-fetch.ts'
import type { ApiName } from './reply.ts'
import { RequestError } from './request-error.ts'

/**
 * The part of the official `openai` client that Requests use. Any object with these two methods works: the client of any version,
 * one for Azure, or a model of `callsheet/testing`.
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

/** A client that can send Requests: of `openai` or `@anthropic-ai/sdk`, or a compatible one. */
export type ModelClient = OpenAIClient | AnthropicClient

/** How to reach the model. */
export interface ConnectionOptions {
  /** Your own client; `baseURL` and `apiKey` are then ignored. */
  readonly client?: ModelClient | undefined
  /** The client to create if none is given: `openai` (for every server with its API), or `anthropic`. */
  readonly provider?: 'openai' | 'anthropic' | undefined
  /** The URL of any server with the provider's API. Default: `OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL`, then the provider's own. */
  readonly baseURL?: string | undefined
  /** Default: `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string | undefined
}

/**
 * Returns the given client, or creates one. The providers' packages are loaded only here, so that only code that makes
 * a Request needs one of them.
 *
 * @throws RequestError `invalid_options` if the package is not installed or has no key.
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
      // The Request limits the time of an attempt. The clients' own ten minutes could end it sooner, and Anthropic's client refuses
      // requests that could take longer.
      timeout: longestWait,
      // Failures are thrown; logging them too would put answers into users' logs.
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
    // Literal names, so that bundlers can resolve them.
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
