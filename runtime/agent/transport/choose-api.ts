import { environmentVariable } from '../../environment-variable.ts'
import type { ConnectionOptions } from './model-client.ts'
import type { ApiName } from './reply.ts'

/**
 * Chooses the API of a Request: the option `api`, else by the provider or the client, else by the server. OpenAI's own gets
 * responses, since its models of 2026 refuse tools in chat completions unless they do not reason; most others know only those.
 */
export function apiOf(options: ConnectionOptions & { api?: ApiName | undefined }): ApiName {
  const { api, provider, client } = options
  if (api) return api
  const isAnthropic = provider
    ? provider === 'anthropic'
    : client && 'messages' in client && !('chat' in client)
  if (isAnthropic) return 'messages'
  return isOpenAI(hostOf(serverOf(options))) && (!client || 'responses' in client) ? 'responses' : 'chat'
}

/**
 * True unless a server is known that may not take a schema for the answer next to tools. OpenAI's own and Azure do, and so does
 * Anthropic's API.
 */
export function takesSchemaBesideTools(options: ConnectionOptions & { api?: ApiName | undefined }): boolean {
  if (apiOf(options) === 'messages') return true
  const host = hostOf(serverOf(options))
  return (
    host === undefined ||
    isOpenAI(host) ||
    /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/.test(host)
  )
}

/** Returns the URL that OpenAI's client sends to. */
function serverOf({ client, baseURL }: ConnectionOptions): unknown {
  if (client) return Reflect.get(client, 'baseURL')
  return baseURL ?? environmentVariable('OPENAI_BASE_URL') ?? openAI
}

const openAI = 'https://api.openai.com/v1'

function hostOf(server: unknown): string | undefined {
  return typeof server === 'string' && URL.canParse(server) ? new URL(server).hostname : undefined
}

/** True for OpenAI's own server, regional ones included. */
function isOpenAI(host: string | undefined): boolean {
  return host !== undefined && /^(?:\w+\.)?api\.openai\.com$/.test(host)
}

/** Returns the dialect of an API's provider. */
export function dialectOf(api: ApiName): 'openai' | 'anthropic' {
  return api === 'messages' ? 'anthropic' : 'openai'
}
