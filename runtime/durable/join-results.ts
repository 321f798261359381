import type { AgentResult } from '../agent/loop/agent-options.ts'

/** Joins the parts of a run that waited for decisions: what had run before each wait, and after the last one. */
export function joinResults<Output>(
  parts: readonly AgentResult[],
  last: AgentResult<Output>,
): AgentResult<Output> {
  if (parts.length === 0) return last
  return {
    ...last,
    outcomes: [...parts.flatMap(({ outcomes }) => outcomes), ...last.outcomes],
    // The one cast: turns before a wait have no output that would be of another type.
    turns: [...(parts.flatMap(({ turns }) => turns) as AgentResult<Output>['turns']), ...last.turns],
  }
}
