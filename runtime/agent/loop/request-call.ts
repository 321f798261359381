import type { Call } from '../../context/message.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { RejectedCall, Solution } from '../ideas/solution.ts'
import type { NativeAnswer } from '../request/request.ts'
import { RequestError } from '../transport/request-error.ts'
import type { PerformedOutcome } from './executor.ts'

/** The name of the pseudo-Call that carries a Request through an executor. No Tool can have it, since names contain no colon. */
export const requestTool = 'callsheet:request'

/** Builds the pseudo-Call of a Request. */
export function requestCall(turn: number): Call {
  return { _tool: requestTool, turn }
}

/** Builds the pseudo-Call of a plan's approval. */
export function approvalCall(turn: number): Call {
  return { _tool: 'callsheet:approval', turn }
}

/** The output of a Request that an executor performed; JSON except for the errors of Outcomes. */
export interface RequestOutput {
  readonly solution: Solution
  /** Calls of the answer that cannot run. */
  readonly rejected?: readonly RejectedCall[]
  readonly usage: TokenUsage
  readonly attempts: number
  readonly mode: 'composed' | 'native'
  /** With native tools: the model's turn, and the ids that require a result. */
  readonly native?: NativeAnswer | undefined
  /** The declared composed schema; with context and solution it makes the Vessel. */
  readonly schema: JsonSchema
  /** Set if null is the output that ends the run. */
  readonly endsWithNull?: boolean
  /** The Calls that started before the answer was complete, by index. */
  readonly started: Iterable<readonly [index: number, outcome: PerformedOutcome]>
}

/** Builds the error of a run that exceeded its time limit. */
export function timeLimitError(): RequestError {
  return new RequestError('limit_reached', 'The run has reached its limit maxTime.')
}
