import { nextId } from '../../call/registry-state.ts'
import { notOffered } from '../ideas/solution.ts'
import type { AgentTools } from '../loop/agent-options.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'

/** The Tools as they are there for somebody (SERVE-6): what is off for them is not offered to their model either. */
export function toolsFor(principal: unknown, tools: AgentTools): AgentTools {
  if (principal === undefined) return tools
  return { ...passedOn(tools), composable: (context) => tools.composable(context, principal) }
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
      return unstartedOutcome(call, options?.id ?? nextId(), notOffered(call._tool, offered))
    },
  }
}

/** What asks the Tools and nothing else: their members may be those of a class. */
function passedOn(tools: AgentTools): AgentTools {
  return {
    composable: (context, principal) => tools.composable(context, principal),
    composeOptions: () => tools.composeOptions?.() ?? {},
    get: (name) => tools.get(name),
    ...(tools.find && { find: tools.find.bind(tools) }),
    run: (call, options) => tools.run(call, options),
  }
}
