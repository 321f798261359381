import type { ToolSelection } from '../../compose/select-tools.ts'
import { isJsonObject } from '../../json/json.ts'
import { briefly } from '../../problems/problem.ts'

/** The name of the Tool by which a model looks for others. */
export const searchToolName = 'Tools.find'

/** Tools that one search finds. */
export const defaultLimit = 5

/** How a model is offered a large set of Tools: a few at once, the others when it looks for them (FIND-2). */
export interface SearchOptions {
  /** Offered from the start: names, `Toolkit.*`, or a function. None by default. */
  readonly pinned?: ToolSelection | undefined
  /** The most Tools that one search finds. Default: 5. */
  readonly limit?: number | undefined
  /**
   * Sends all Tools and lets the provider show the model those that were found: OpenAI's `tool_search` (`api: 'responses'`),
   * Anthropic's tool references (`api: 'messages'`). Default: false, which works with every API.
   */
  readonly provider?: boolean | undefined
  /** The name of the Tool that searches, where one of yours is called `Tools.find`. */
  readonly name?: string | undefined
}

/** Lists what is wrong with search options, in words. */
export function searchOptionProblems(search: unknown): string[] {
  if (search === undefined) return []
  if (!isJsonObject(search)) return [`\`search\` must be an object, got ${briefly(search)}`]
  const { pinned, limit, provider, name, ...others } = search as Readonly<Record<string, unknown>>
  const problems: string[] = []
  const isList = Array.isArray(pinned) && pinned.every((each) => typeof each === 'string')
  if (pinned !== undefined && typeof pinned !== 'function' && !isList) {
    problems.push(`\`search.pinned\` takes names of Tools, or a function of a Tool; got ${briefly(pinned)}`)
  }
  if (limit !== undefined && !(Number.isInteger(limit) && (limit as number) >= 1)) {
    problems.push(`\`search.limit\` must be a whole number from 1, got ${briefly(limit)}`)
  }
  if (provider !== undefined && typeof provider !== 'boolean') {
    problems.push(`\`search.provider\` must be true or false, got ${briefly(provider)}`)
  }
  if (name !== undefined && !(typeof name === 'string' && /^[A-Za-z_][\w.-]{0,63}$/.test(name))) {
    problems.push(`\`search.name\` must be a name for a Tool, got ${briefly(name)}`)
  }
  for (const key of Object.keys(others)) {
    problems.push(`\`search\` has no option "${key}"; it takes pinned, limit, provider and name`)
  }
  return problems
}
