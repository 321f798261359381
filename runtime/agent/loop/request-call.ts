import type { Call } from '../../context/message.ts'
import type { JsonSchema } from '../../schema/schema.ts'
import type { TokenUsage } from '../../tools/token-usage.ts'
import type { RejectedCall, Solution } from '../ideas/solution.ts'
import type { NativeAnswer } from '../request/request.ts'
import { RequestError } from '../transport/request-error.ts'
import type { PerformedOutcome } from './executor.ts'

/** The name under which a Request goes through an executor, like a Call. No Tool has it: names hold no colon. */
export const requestTool = 'callsheet:request'

/** How a Request goes through an executor. */
export function requestCall(turn: number): Call {
  return { _tool: requestTool, turn }
}

/** How a plan's approval goes through an executor. */
export function approvalCall(turn: number): Call {
  return { _tool: 'callsheet:approval', turn }
}

/** The output of a Request that went through an executor; JSON but for the errors of Outcomes. */
export interface RequestOutput {
  readonly solution: Solution
  /** Calls of the answer that are not run. */
  readonly rejected?: readonly RejectedCall[]
  readonly usage: TokenUsage
  readonly attempts: number
  readonly mode: 'composed' | 'native'
  /** Of the provider's own tools: what was said, and the ids that want a result. */
  readonly native?: NativeAnswer | undefined
  /** The composed schema as declared: with context and solution it makes the Vessel. */
  readonly schema: JsonSchema
  /** The Calls that had started before the answer was complete, by their places. */
  readonly started: Iterable<readonly [index: number, outcome: PerformedOutcome]>
}

/** The error of a run whose time is over. */
export function limitOfTime(): RequestError {
  return new RequestError('limit_reached', 'The run is at its limit maxTime: its time is over.')
}
