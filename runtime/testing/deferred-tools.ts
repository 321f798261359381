import { isJsonObject, type JsonObject } from '../json/json.ts'
import type { ModelRequest } from './model-answer.ts'

/** A request that the provider's server would refuse. */
export class RefusedRequest extends Error {
  /** Where clients look for it. */
  readonly status = 400
}

/** What a request says of tools that are kept back until they are found. */
export interface DeferredTools {
  /** Names of tools that are kept back and were not found so far. */
  readonly hidden: ReadonlySet<string>
  /** The definitions that OpenAI's search would show for these names. */
  show(names: readonly string[]): JsonObject[]
}

/**
 * Reads which tools a request keeps back, by the rules of the provider: OpenAI wants its `tool_search` beside them;
 * Anthropic wants one tool that is not kept back, and references to tools that are.
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

/** The names in `tool_reference` blocks of tool results. */
function referencedTools({ messages }: JsonObject): Set<string> {
  const results = listOf(messages)
    .flatMap(({ content }) => listOf(content))
    .filter(({ type }) => type === 'tool_result')
  const references = results
    .flatMap(({ content }) => listOf(content))
    .filter(({ type }) => type === 'tool_reference')
  return new Set(references.map(({ tool_name }) => String(tool_name)))
}

/** The names of what OpenAI's search has shown in earlier turns. */
function searchedTools({ input }: JsonObject): Set<string> {
  const outputs = listOf(input).filter(({ type }) => type === 'tool_search_output')
  return new Set(outputs.flatMap(({ tools }) => listOf(tools)).map(({ name }) => String(name)))
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
