import { composableTools } from '../../compose/composable.ts'
import type { ComposableTool, ComposeOptions, GivenTool } from '../../compose/compose.ts'
import { standingSelection } from '../../compose/select-tools.ts'
import { instancesOf } from '../../context/instances.ts'
import type { Message } from '../../context/message.ts'
import { CallsheetError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { isMap } from '../../problems/field-rule.ts'
import { briefly } from '../../problems/problem.ts'
import type { ToolMethods } from '../../registry/registry-api.ts'
import type { ModelOptions } from './request-options.ts'

/** The part of a registry's `Tool` that a Request uses. */
export type OfferedRegistry = Pick<ToolMethods, 'composable'> &
  Partial<Pick<ToolMethods, 'composeOptions' | 'get' | 'names'>>

/**
 * The Tools of a Request: a registry's `Tool`, which knows which Tools are enabled and have an Activity; or schemas, by name or in
 * a list, which are all latent.
 */
export type OfferedTools = OfferedRegistry | Iterable<GivenTool> | Readonly<Record<string, object>>

/** Lists the Tools that a model is offered in a context. */
export function offeredTools(tools: OfferedTools | undefined, context: readonly Message[]): ComposableTool[] {
  if (tools === undefined) return []
  if (isRegistry(tools)) return tools.composable(context)
  if (!(isMap(tools) || isList(tools))) {
    throw new CallsheetError(
      'invalid_options',
      `\`tools\` takes the Tool of a registry, a list of Tools, or Tools by name; got ${briefly(tools)}.`,
    )
  }
  if (isList(tools)) return composableTools(tools, undefined)
  const list = Object.values(tools) as GivenTool[]
  if (list.length === 0) {
    throw new CallsheetError(
      'invalid_options',
      '`tools` is an object without a Tool. To offer none, leave it out or give an empty list.',
    )
  }
  return composableTools(list, undefined)
}

function isList(tools: OfferedTools): tools is Iterable<GivenTool> {
  return typeof tools === 'object' && tools !== null && Symbol.iterator in tools
}

/** Returns the options for composing the offered Tools: the registry's, overridden by the Request's (REQ-14). */
export function requestedComposition(
  options: ModelOptions & { readonly tools?: OfferedTools | undefined; readonly ideas?: unknown },
  context: readonly Message[],
): ComposeOptions {
  const { tools, only, without, references, explicitOutput, outputPosition, ideas } = options
  const registry = tools !== undefined && isRegistry(tools) ? tools : undefined
  const own = registry?.composeOptions?.() ?? {}
  return {
    ...own,
    instances: instancesOf(context),
    context,
    ...standingSelection({ only, without }, registry ?? {}, () => offeredTools(tools, context)),
    ...(references !== undefined && { references }),
    ...(explicitOutput !== undefined && { explicitOutput }),
    ...(outputPosition !== undefined && { outputPosition }),
    // Ideas in a folder are only found when a Call names them.
    ...(ideas !== undefined && { delegates: 'any' as const }),
  }
}

function isRegistry(tools: OfferedTools): tools is OfferedRegistry {
  const { composable } = tools as { composable?: unknown }
  return typeof composable === 'function' && (typeof tools === 'function' || isJsonObject(tools))
}
