import type { AgentResult } from '../agent/loop/agent-options.ts'
import { LoopError } from '../agent/loop/loop-error.ts'

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

/** Makes the error of a run that waited for decisions: with all that had run, and not only since the last of them. */
export function joinError(parts: readonly AgentResult[], thrown: LoopError): LoopError {
  if (parts.length === 0) return thrown
  return new LoopError(thrown.code, thrown.message, joinResults(parts, thrown.result), { cause: thrown })
}
