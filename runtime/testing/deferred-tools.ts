import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { ModelRequest } from './model-answer.ts'

/** Thrown for a request that the provider's server would refuse. */
export class RefusedRequest extends Error {
  /** The error in the place where clients read it. */
  readonly status = 400
}

/** The deferred tools of a request. */
export interface DeferredTools {
  /** Names of deferred tools that no search has found yet. */
  readonly hidden: ReadonlySet<string>
  /** Returns the definitions that OpenAI's search would reveal for these names. */
  show(names: readonly string[]): JsonObject[]
}

/**
 * Reads the deferred tools of a request, by the provider's rules: OpenAI requires its `tool_search` with them;
 * Anthropic requires at least one tool that is not deferred, and references only to deferred ones.
 *
 * @throws RefusedRequest
 */
export function deferredTools({ api, body }: ModelRequest): DeferredTools {
  const tools = listOf(body.tools)
  const deferred = new Map(
    tools.filter(({ defer_loading }) => defer_loading === true).map((tool) => [String(tool.name), tool]),
  )
  const shown = api === 'messages' ? referencedTools(body) : searchedTools(body)
  if (deferred.size > 0) requireForm(api, tools)
  for (const name of api === 'messages' ? shown : []) {
    if (!deferred.has(name)) throw new RefusedRequest(`Tool reference '${name}' has no deferred tool.`)
  }
  return {
    hidden: new Set([...deferred.keys()].filter((name) => !shown.has(name))),
    show: (names) =>
      names.flatMap((name) => {
        const tool = deferred.get(name)
        return tool ? [tool] : []
      }),
  }
}

function requireForm(api: ModelRequest['api'], tools: readonly JsonObject[]): void {
  if (api === 'chat') throw new RefusedRequest('Chat completions know no defer_loading.')
  if (api === 'responses' && !tools.some(({ type }) => type === 'tool_search')) {
    throw new RefusedRequest('Deferred tools need the tool_search tool.')
  }
  if (api === 'messages' && tools.every(({ defer_loading }) => defer_loading === true)) {
    throw new RefusedRequest('At least one tool must not be deferred.')
  }
}

/** Returns the names in `tool_reference` blocks of tool results. */
function referencedTools({ messages }: JsonObject): Set<string> {
  const results = listOf(messages)
    .flatMap(({ content }) => listOf(content))
    .filter(({ type }) => type === 'tool_result')
  const references = results
    .flatMap(({ content }) => listOf(content))
    .filter(({ type }) => type === 'tool_reference')
  return new Set(references.map(({ tool_name }) => String(tool_name)))
}

/** Returns the names of tools that OpenAI's search revealed in earlier turns. */
function searchedTools({ input }: JsonObject): Set<string> {
  const outputs = listOf(input).filter(({ type }) => type === 'tool_search_output')
  return new Set(outputs.flatMap(({ tools }) => listOf(tools)).map(({ name }) => String(name)))
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
