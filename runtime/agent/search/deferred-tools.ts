import type { Message } from '../../context/message.ts'
import type { JsonObject } from '../../json/json.ts'

/** OpenAI searches itself, and shows what it finds; Anthropic shows what our search refers to. */
export type DeferralWay = 'tool_search' | 'references'

/** Which Tools a provider keeps back until they are found. */
export interface Deferral {
  readonly way: DeferralWay
  readonly names: ReadonlySet<string>
  /** The provider's names of the Tools that a Message shows the model. */
  readonly shownBy: (message: Message) => readonly string[]
}

/**
 * Marks the provider's own tools that it keeps back, and asks OpenAI for its search. Anthropic searches by our Tool, which
 * is never kept back: it refuses a list in which everything is.
 *
 * @param names The names of the Tools, place by place.
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
