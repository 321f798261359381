import { requireEachMessage } from '../../context/well-formed-message.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import { requireIdeaShape } from '../../tools/idea-tool.ts'

/**
 * Throws unless the value is an Idea.
 *
 * @throws CallsheetError `invalid_options`, `invalid_message`.
 */
export function requireIdea(value: unknown, which: string): asserts value is IdeaData {
  requireIdeaShape(value, which)
  requireEachMessage(value.context, `${which.charAt(0).toLowerCase()}${which.slice(1)}`)
}
