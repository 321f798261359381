import { isRegisteredIn, type SubsetOptions, selection } from '../../compose/select-tools.ts'
import { CallsheetError } from '../../errors.ts'
import { withMethods } from '../../problems/field-rule.ts'
import { nearest } from '../../problems/nearest.ts'
import { requireArgument, requireOptionsOf } from '../../problems/option-problems.ts'
import { ended } from '../../problems/problem.ts'
import { suggest } from '../../problems/suggest.ts'
import type { Schema } from '../../schema/schema.ts'
import type { AgentTools } from '../loop/agent-options.ts'
import { requestedComposition } from '../request/offered-tools.ts'
import type { ModelOptions } from '../request/request-options.ts'
import { apiOf, dialectOf } from '../transport/choose-api.ts'
import type { ApiName } from '../transport/reply.ts'
import { type SearchOptions, searchOptionRules } from './search-options.ts'
import { SearchingTools, type SearchWay } from './searching-tools.ts'

/**
 * Wraps the Tools of a registry with a search, for Requests whose Calls you run yourself: offers the pinned Tools and
 * those that the context contains as found, and runs the Calls of the search Tool. For an `Agent`, use its option
 * `search` instead.
 *
 * @throws CallsheetError `invalid_options`.
 *
 * @example
 * const tools = withSearch(Tool, { pinned: ['answerMail'] })
 * const { solution } = await Request({ model, tools, context })
 * for (const call of solution.calls) {
 *   const { output } = await tools.run(call, { context })
 *   context.append({ type: 'data', kind: 'result', data: output, _call: call })
 * }
 */
export function withSearch(tools: AgentTools, options: SearchOptions & SubsetOptions = {}): AgentTools {
  requireOptionsOf('withSearch', options, { ...searchOptionRules, only: selection, without: selection })
  requireSearching(tools)
  if (options.provider) {
    throw invalid(['`withSearch` has no `provider`: pass `search: { provider: true }` to Request or Agent'])
  }
  return new SearchingTools(tools, options)
}

/** The options of a Request that determine how Tools are searched and sent. */
type SearchingRequest = ModelOptions & { readonly output?: Schema | object | undefined }

/**
 * Creates the searching Tools of a Request or a run.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function searchingTools(tools: AgentTools, options: SearchingRequest): SearchingTools {
  const { search = {}, only, without, output } = options
  requireSearching(tools)
  const api = apiOf(options)
  const { mode = api === 'messages' ? 'native' : 'auto', dialect = dialectOf(api) } = options
  const way = search.provider ? providerWay(api, mode) : 'own'
  const subset = { ...(only !== undefined && { only }), ...(without !== undefined && { without }) }
  return new SearchingTools(
    tools,
    { ...search, ...subset },
    {
      way,
      room: { api: nativeApis[api], dialect, mode },
      compose: (context) => ({
        ...requestedComposition({ ...options, tools, only: undefined, without: undefined }, context),
        ...(output !== undefined && { output }),
      }),
    },
  )
}

const nativeApis = { chat: 'openai-chat', responses: 'openai-responses', messages: 'anthropic' } as const

function providerWay(api: ApiName, mode: string): SearchWay {
  const problems: string[] = []
  if (api === 'chat') {
    problems.push(
      '`search.provider` needs `api: "responses"` or "messages": chat completions have no search of their own',
    )
  }
  if (mode === 'composed')
    problems.push('`search.provider` needs the provider\'s own tools, not `mode: "composed"`')
  if (problems.length > 0) throw invalid(problems)
  return api === 'messages' ? 'references' : 'tool_search'
}

const searchable = withMethods(
  'the Tool of a registry as `tools`, which can find Tools',
  'find',
  'composable',
)

function requireSearching(tools: AgentTools): void {
  requireArgument('A search', tools, searchable)
}

/**
 * Refuses pinned names that are unknown. The name of a disabled Tool is accepted.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requirePinned(tools: AgentTools, { pinned = [] }: SearchOptions): void {
  if (typeof pinned === 'function') return
  const names = tools.names ?? tools.composable().map(({ name }) => name)
  const problems = pinned
    .filter((pattern) => !isRegisteredIn({ names, get: (name) => tools.get(name) }, pattern))
    .map((pattern) => {
      const guess = suggest(nearest(pattern, names))
      return `\`search.pinned\` names "${pattern}", and no Tool is called so${guess && `.${guess}`}`
    })
  if (problems.length > 0) throw invalid(problems)
}

function invalid(problems: readonly string[]): CallsheetError {
  return new CallsheetError(
    'invalid_options',
    ended(`The search options cannot be used: ${problems.join('; ')}`),
  )
}
