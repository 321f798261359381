import { nextId } from '../../call/next-id.ts'
import { isSelected } from '../../compose/select-tools.ts'
import type { ContextLike } from '../../context/context.ts'
import type { Call } from '../../context/message.ts'
import { notOfferedError } from '../ideas/solution.ts'
import type { AgentOptions, AgentTools } from '../loop/agent-options.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'

/** The Tools as they are there for somebody (SERVE-6): what is off for them is not offered to their model either. */
export function toolsFor(principal: unknown, tools: AgentTools): AgentTools {
  if (principal === undefined) return tools
  return { ...passedOn(tools), composable: (context) => tools.composable(context, principal) }
}

/** Makes what tells whether a Call is of a Tool that `only` or `without` leave out; of one that is not there it says so itself. */
export function leavesOut(
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

/** The Tools that a delegate's own context names, and no other of the registry: neither to see nor to run. */
export function onlyThese(tools: AgentTools, names: readonly (string | undefined)[]): AgentTools {
  const offered = names.filter((name) => name !== undefined)
  return {
    ...passedOn(tools),
    composable: (context, principal) =>
      tools.composable(context, principal).filter(({ name }) => offered.includes(name)),
    get: (name) => (offered.includes(name) ? tools.get(name) : undefined),
    run: async (call, options) => {
      if (offered.includes(call._tool)) return tools.run(call, options)
      return unstartedOutcome(call, options?.id ?? nextId(), notOfferedError(call._tool, offered))
    },
  }
}

/** What asks the Tools and nothing else: their members may be those of a class. */
function passedOn(tools: AgentTools): AgentTools {
  return {
    composable: (context, principal) => tools.composable(context, principal),
    composeOptions: () => tools.composeOptions?.() ?? {},
    get: (name) => tools.get(name),
    names: tools.names ?? [],
    ...(tools.find && { find: tools.find.bind(tools) }),
    run: (call, options) => tools.run(call, options),
  }
}
