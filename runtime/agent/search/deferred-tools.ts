import type { Message } from '../../context/message.ts'
import type { JsonObject } from '../../json/json.ts'

/** OpenAI searches itself and reveals what it finds; Anthropic reveals the Tools that our search references. */
export type DeferralWay = 'tool_search' | 'references'

/** The Tools that a provider defers until a search finds them. */
export interface Deferral {
  readonly way: DeferralWay
  readonly names: ReadonlySet<string>
  /** Returns the provider's names of the Tools that a Message reveals. */
  readonly shownBy: (message: Message) => readonly string[]
}

/**
 * Marks the native tools to defer, and adds OpenAI's search tool. With Anthropic the model searches with our Tool, which is never
 * deferred: a list in which all tools are deferred is refused.
 *
 * @param names The Tool name of each native tool, by index.
 */
export function deferTools(
  tools: readonly JsonObject[],
  names: readonly string[],
  { way, names: deferred }: Deferral,
): JsonObject[] {
  const marked = tools.map((tool, place) =>
    deferred.has(names[place] ?? '') ? { ...tool, defer_loading: true } : tool,
  )
  return way === 'tool_search' && deferred.size > 0 ? [...marked, { type: 'tool_search' }] : marked
}
