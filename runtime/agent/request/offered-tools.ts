import { composableTools } from '../../compose/composable.ts'
import type { ComposableTool, GivenTool } from '../../compose/compose.ts'
import type { Message } from '../../context/message.ts'
import { CallsheetError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { briefly } from '../../problems/problem.ts'
import type { ToolMethods } from '../../registry/registry-api.ts'

/**
 * The Tools of a Request: a registry's `Tool`, which knows what is on and what has an Activity; or schemas alone, by
 * name or in a list, which then are all latent.
 */
export type OfferedTools =
  | Pick<ToolMethods, 'composable'>
  | Iterable<GivenTool>
  | Readonly<Record<string, object>>

/** Lists what a model is offered in a context. */
export function offeredTools(tools: OfferedTools | undefined, context: readonly Message[]): ComposableTool[] {
  if (tools === undefined) return []
  if (isRegistry(tools)) return tools.composable(context)
  if (typeof tools !== 'object' || tools === null) {
    throw new CallsheetError(
      'invalid_options',
      `\`tools\` takes the Tool of a registry, a list of Tools, or Tools by name; got ${briefly(tools)}.`,
    )
  }
  const list = Symbol.iterator in tools ? (tools as Iterable<GivenTool>) : Object.values(tools)
  return composableTools(list as Iterable<GivenTool>, undefined)
}

function isRegistry(tools: OfferedTools): tools is Pick<ToolMethods, 'composable'> {
  const { composable } = tools as { composable?: unknown }
  return typeof composable === 'function' && (typeof tools === 'function' || isJsonObject(tools))
}
