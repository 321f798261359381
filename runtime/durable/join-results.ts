import type { AgentResult } from '../agent/loop/agent-options.ts'
import { LoopError } from '../agent/loop/loop-error.ts'

/** Joins the results of a run that waited for decisions: of the parts before each wait, and after the last one. */
export function joinResults<Output>(
  parts: readonly AgentResult[],
  last: AgentResult<Output>,
): AgentResult<Output> {
  if (parts.length === 0) return last
  return {
    ...last,
    outcomes: [...parts.flatMap(({ outcomes }) => outcomes), ...last.outcomes],
    // The one cast: turns before a wait have no output, so no other type.
    turns: [...(parts.flatMap(({ turns }) => turns) as AgentResult<Output>['turns']), ...last.turns],
  }
}

/** Builds the error of a run that waited for decisions, with the results of all parts, not only the last one. */
export function joinError(parts: readonly AgentResult[], thrown: LoopError): LoopError {
  if (parts.length === 0) return thrown
  return new LoopError(thrown.code, thrown.message, joinResults(parts, thrown.result), { cause: thrown })
}
