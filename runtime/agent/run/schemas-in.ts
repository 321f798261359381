import type { Message } from '../../context/message.ts'
import { toolsInMessages } from '../../plan/tools-in-messages.ts'
import type { SchemaOf } from '../approvals/approver.ts'
import type { AgentOptions } from '../loop/agent-options.ts'

/** Returns what finds the schemas of Tools: registered ones first, as when they run, and those that the context brings. */
export function schemasIn({ tools }: Pick<AgentOptions, 'tools'>, context: readonly Message[]): SchemaOf {
  const brought = toolsInMessages(context)
  return (name) => tools.get(name) ?? brought(name)
}
