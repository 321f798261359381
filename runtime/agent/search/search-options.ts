import { selection, type ToolSelection } from '../../compose/select-tools.ts'
import { count, flag } from '../../problems/field-rule.ts'
import type { OptionRules } from '../../problems/option-problems.ts'

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

/** What the options of a search must be. */
export const searchOptionRules: OptionRules<SearchOptions> = {
  pinned: selection,
  limit: count,
  provider: flag,
  name: [(value) => typeof value === 'string' && /^[A-Za-z_][\w.-]{0,63}$/.test(value), 'a name for a Tool'],
}
