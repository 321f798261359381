import { selection, type ToolSelection } from '../../compose/select-tools.ts'
import { count, flag } from '../../problems/field-rule.ts'
import type { OptionRules } from '../../problems/option-problems.ts'

/** The name of the Tool with which a model searches for others. */
export const searchToolName = 'Tools.find'

/** Most Tools that one search returns, by default. */
export const defaultLimit = 5

/** How to offer a model a large set of Tools: a few at first, the others when it searches for them (FIND-2). */
export interface SearchOptions {
  /** Tools offered from the start: names, `Toolkit.*`, or a predicate. Default: none. */
  readonly pinned?: ToolSelection | undefined
  /** Most Tools that one search returns. Default: 5. */
  readonly limit?: number | undefined
  /**
   * Sends all Tools and lets the provider reveal those that were found: OpenAI's `tool_search` (`api: 'responses'`), Anthropic's
   * tool references (`api: 'messages'`). Default: false, which works with every API.
   */
  readonly provider?: boolean | undefined
  /** The name of the search Tool. Change it if you have a Tool named `Tools.find`. */
  readonly name?: string | undefined
}

/** The rules for the options of a search. */
export const searchOptionRules: OptionRules<SearchOptions> = {
  pinned: selection,
  limit: count,
  provider: flag,
  name: [(value) => typeof value === 'string' && /^[A-Za-z_][\w.-]{0,63}$/.test(value), 'a name for a Tool'],
}
