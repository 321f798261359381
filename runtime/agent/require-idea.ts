import type { IdeaData } from '../idea-data.ts'
import { requireIdeaShape } from '../idea-tool.ts'
import { requireMessage } from '../well-formed-message.ts'

/**
 * Refuses what is no Idea.
 *
 * @throws CallsheetError `invalid_options`, `invalid_message`.
 */
export function requireIdea(value: unknown, which: string): asserts value is IdeaData {
  requireIdeaShape(value, which)
  for (const [index, message] of value.context.entries())
    requireMessage(message, `Message ${index} of ${which}`)
}
