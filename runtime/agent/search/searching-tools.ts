import type { Outcome } from '../../call/outcome.ts'
import { attachState, stateBehind } from '../../call/registry-state.ts'
import type { RunOptions } from '../../call/run-options.ts'
import type { ComposableTool, ComposeOptions } from '../../compose/compose.ts'
import { isSelected, type SubsetOptions, selectTools, standingSelection } from '../../compose/select-tools.ts'
import type { ContextLike } from '../../context/context.ts'
import type { Call, Message } from '../../context/message.ts'
import { messagesOf } from '../../context/messages-of.ts'
import { CallsheetError } from '../../errors.ts'
import type { ToolApi } from '../../registry/registry-api.ts'
import type { ToolSchema } from '../../schema/schema.ts'
import { providerSafeName, sentForm } from '../../schema/tool-name.ts'
import type { AgentTools } from '../loop/agent-options.ts'
import type { Exchange } from '../request/exchange.ts'
import { soundTools } from '../request/offerable-tools.ts'
import type { Deferral, DeferralWay } from './deferred-tools.ts'
import { foundIn, toolsInMessages } from './found-tools.ts'
import { type RoomOptions, takeFitting } from './room.ts'
import { defaultLimit, type SearchOptions, searchToolName } from './search-options.ts'
import { type SearchOutput, searchTool } from './search-tool.ts'

/** What reveals found Tools to the model: Callsheet, or the provider. */
export type SearchWay = 'own' | DeferralWay

/** The inputs of a search in addition to its options. */
export interface SearchSettings {
  readonly way: SearchWay
  /** How Tools are sent; without it, no limit applies. */
  readonly room?: RoomOptions | undefined
  /** Returns the composition options in a context. */
  readonly compose?: ((context: readonly Message[]) => ComposeOptions) | undefined
}

/** The Tools of a registry, offered to a model as far as they are pinned or were found (FIND-2). */
export class SearchingTools implements AgentTools {
  readonly way: SearchWay
  /** The name of the search Tool. */
  readonly searchName: string
  readonly #tools: AgentTools
  readonly #options: SearchOptions & SubsetOptions
  readonly #settings: SearchSettings
  /** The search Tool for the schema; each Call of it runs in an instance that knows the context. */
  readonly #shown: ToolApi
  /**
   * What the searches of the run have found here: those of one answer run at the same time, so that the context of one does not
   * have the results of the others.
   */
  readonly #results: Message[] = []

  constructor(
    tools: AgentTools,
    options: SearchOptions & SubsetOptions,
    settings: SearchSettings = { way: 'own' },
  ) {
    this.#tools = tools
    this.#options = options
    this.#settings = settings
    this.way = settings.way
    this.searchName = options.name ?? searchToolName
    this.#shown = this.#searchTool([])
    // The registry's options for its Calls, such as `references: false`, apply here too.
    const state = stateBehind(tools)
    if (state) attachState(this, state)
    if (tools.get(this.searchName) === undefined) return
    throw new CallsheetError(
      'invalid_options',
      `A Tool of yours is called "${this.searchName}" too. Give the one that searches another name: search: { name: 'Tools.search' }.`,
    )
  }

  get names(): readonly string[] {
    return this.#tools.names ?? []
  }

  composable(context: ContextLike = [], principal?: unknown): ComposableTool[] {
    const all = this.#all(context, principal)
    const pinned = all.filter((tool) => this.#isPinned(tool))
    const others = all.filter((tool) => !this.#isPinned(tool))
    const search = this.#shown.composable()
    if (this.way === 'tool_search') return [...pinned, ...others]
    if (this.way === 'references') return [...search, ...pinned, ...others]
    const byName = new Map(others.map((tool) => [tool.name, tool]))
    const brought = this.#brought(context).flatMap((name) => byName.get(name) ?? [])
    const { room, compose } = this.#settings
    const composition = compose?.(messagesOf(context)) ?? this.composeOptions()
    return takeFitting([...search, ...pinned], brought, room, composition)
  }

  composeOptions(): ComposeOptions {
    return this.#tools.composeOptions?.() ?? {}
  }

  get(name: string): ToolSchema | undefined {
    return name === this.searchName ? this.#shown.get(name) : this.#tools.get(name)
  }

  async run(call: Call, options: RunOptions = {}): Promise<Outcome> {
    if (call._tool !== this.searchName) return this.#tools.run(call, options)
    // A search needs no approval.
    const { confirm, ...others } = options
    return this.#searchTool(options.context, options.principal).run(call, others)
  }

  /**
   * Returns the Tools that the provider defers; undefined if Callsheet reveals found Tools itself. Tools that an earlier run found
   * are not deferred, since no exchange of this run reveals them.
   */
  deferral(context: readonly Message[], exchanges: readonly Exchange[]): Deferral | undefined {
    const { way } = this
    if (way === 'own') return undefined
    const isShown = (place: number): boolean =>
      exchanges.some(({ results }) => results.some(({ from, to }) => place >= from && place < to))
    const rest = context.filter((_, place) => !isShown(place))
    const listed = new Set([...this.#brought(rest), this.searchName])
    const deferred = this.composable(context).filter(
      (tool) => !this.#isPinned(tool) && !listed.has(tool.name),
    )
    const names = new Set(deferred.map(({ name }) => name))
    const shownBy = (message: Message): string[] =>
      foundIn(message, this.searchName)
        .filter((name) => names.has(name))
        .map(providerSafeName)
    return { way, names, shownBy }
  }

  /** Returns advice for a Call of a Tool that is not offered; undefined if the provider searches. */
  hintFor(name: string, context: readonly Message[]): string | undefined {
    if (this.way === 'tool_search') return undefined
    // Searches of one answer that ran in different processes do not know of each other, and may find more than fits.
    const brought = this.#brought(context).find((other) => sentForm(other) === sentForm(name))
    const isOn = this.#all(context, undefined).some((tool) => tool.name === brought)
    if (brought !== undefined && isOn) return noRoom([brought])
    return `Look for it with "${this.searchName}" first: what that finds can be called from the next turn on.`
  }

  #all(context: ContextLike | undefined, principal: unknown): readonly ComposableTool[] {
    // Whether a Tool fits can be decided by its schema.
    const on = soundTools(this.#tools.composable(messagesOf(context), principal))
    const all = selectTools(
      on,
      standingSelection(this.#options, this.#tools, () => on),
    )
    // A Tool of the context cannot replace the search Tool.
    return this.way === 'tool_search' ? all : all.filter((tool) => !this.#isTakenForSearch(tool))
  }

  #isTakenForSearch({ name, isGuest }: ComposableTool): boolean {
    return name === this.searchName || (isGuest === true && sentForm(name) === sentForm(this.searchName))
  }

  #isPinned(tool: ComposableTool): boolean {
    return isSelected('pinned', this.#options.pinned ?? [], tool)
  }

  #brought(context: ContextLike): string[] {
    const isRegistered = (name: string): boolean => this.#tools.get(name) !== undefined
    return toolsInMessages(messagesOf(context), this.searchName, isRegistered)
  }

  #searchTool(context: ContextLike | undefined, principal?: unknown): ToolApi {
    return searchTool(this.searchName, (query) => this.#search(query, messagesOf(context), principal))
  }

  async #search(query: string, context: readonly Message[], principal: unknown): Promise<SearchOutput> {
    const { limit = defaultLimit } = this.#options
    const known = new Set(this.#all(context, principal).map(({ name }) => name))
    // Rank all Tools, since those that are excluded here are dropped afterwards.
    const all = { limit: Number.MAX_SAFE_INTEGER, context, principal }
    const ranked = (await this.#tools.find?.(query, all)) ?? []
    const best = ranked.filter(({ name }) => known.has(name)).slice(0, limit)
    const found = best.map(({ name }) => name)
    if (found.length === 0) {
      return { found, note: 'No tool fits these words. Say in other words what the tool should do.' }
    }
    const result = resultOf(this.searchName, found)
    const next = this.composable([...context, ...this.#results, result], principal)
    const offered = new Set(next.map(({ name }) => name))
    const left = found.filter((name) => !offered.has(name))
    const fitting = found.filter((name) => offered.has(name))
    // Without limits nothing depends on other searches, and these Tools may serve any number of runs.
    if (this.#settings.room) this.#results.push(resultOf(this.searchName, fitting))
    return { found: fitting, ...(left.length > 0 && { note: noRoom(left) }) }
  }
}

function resultOf(searchName: string, found: readonly string[]): Message {
  const call = { _tool: searchName, query: '' }
  return { type: 'data', kind: 'result', data: { found: [...found] }, _call: call }
}

/** Most names that a note lists. */
const listed = 3

function noRoom(names: readonly string[]): string {
  const list = names.slice(0, listed).join(', ')
  const rest = names.length > listed ? ` and ${names.length - listed} more` : ''
  return `There is no room for ${list}${rest}: a request takes no more tools. Go on with those that you have.`
}
