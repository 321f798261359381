import { nextId } from '../../call/next-id.ts'
import { isSelected } from '../../compose/select-tools.ts'
import type { ContextLike } from '../../context/context.ts'
import type { Call } from '../../context/message.ts'
import { notOfferedError } from '../ideas/solution.ts'
import type { AgentOptions, AgentTools } from '../loop/agent-options.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'

/** Returns the Tools as a principal may use them (SERVE-6): disabled ones are not offered to the model either. */
export function toolsForPrincipal(principal: unknown, tools: AgentTools): AgentTools {
  if (principal === undefined) return tools
  return { ...forwardTools(tools), composable: (context) => tools.composable(context, principal) }
}

/**
 * Creates the function that tells whether `only` or `without` excludes the Tool of a Call; an unknown Tool is reported
 * by running the Call.
 */
export function makeIsLeftOut(
  { tools, only, without }: Pick<AgentOptions, 'tools' | 'only' | 'without'>,
  context: ContextLike | undefined,
): (call: Call) => boolean {
  return ({ _tool }) => {
    const tool = tools.composable(context).find(({ name }) => name === _tool)
    if (!tool) return false
    return (
      (only && !isSelected('only', only, tool)) || (without && isSelected('without', without, tool)) || false
    )
  }
}

/** Returns only the Tools that a delegate's own context names; it can neither see nor run others of the registry. */
export function restrictTools(tools: AgentTools, names: readonly (string | undefined)[]): AgentTools {
  const offered = names.filter((name) => name !== undefined)
  return {
    ...forwardTools(tools),
    composable: (context, principal) =>
      tools.composable(context, principal).filter(({ name }) => offered.includes(name)),
    get: (name) => (offered.includes(name) ? tools.get(name) : undefined),
    run: async (call, options) => {
      if (offered.includes(call._tool)) return tools.run(call, options)
      return unstartedOutcome(call, options?.id ?? nextId(), notOfferedError(call._tool, offered))
    },
  }
}

/** Wraps Tools so that their members are called on the original object, which may be a class instance. */
function forwardTools(tools: AgentTools): AgentTools {
  return {
    composable: (context, principal) => tools.composable(context, principal),
    composeOptions: () => tools.composeOptions?.() ?? {},
    get: (name) => tools.get(name),
    names: tools.names ?? [],
    ...(tools.find && { find: tools.find.bind(tools) }),
    run: (call, options) => tools.run(call, options),
  }
}
