import type { RejectedCall } from '../agent/ideas/solution.ts'
import type { PerformedOutcome } from '../agent/loop/executor.ts'
import { type RequestOutput, requestTool } from '../agent/loop/request-call.ts'
import { CallError, OutputError } from '../errors.ts'
import { isJson } from '../json/not-json.ts'
import { type RecordedError, type RecordedOutcome, recordError, reviveError } from './recorded-error.ts'

export type { RecordedError, RecordedOutcome }

/** The result of a Request as it is stored: the errors of Calls that were not run are data too. */
interface RecordedRequest extends Omit<RequestOutput, 'rejected' | 'started'> {
  readonly rejected?: readonly (Omit<RejectedCall, 'error'> & { readonly error: RecordedError })[]
  readonly started: readonly (readonly [index: number, outcome: RecordedOutcome])[]
}

/**
 * Serialises an Outcome for an engine: plain JSON, errors as data. JSON would change an output that is not JSON; the
 * Call then fails with `invalid_output`, as if a context could not store it (ACT-7a).
 */
export function recordOutcome(outcome: PerformedOutcome): RecordedOutcome {
  const { error, output, ...rest } = outcome
  if (outcome.tool === requestTool && output !== undefined) {
    return { ...rest, output: recordRequest(output as RequestOutput) }
  }
  if (!isJson(output)) {
    return recordOutcome(withoutOutput(rest, 'is not plain JSON, which is all that an engine can keep'))
  }
  return {
    ...rest,
    ...(output !== undefined && { output }),
    ...(error && { error: recordError(error, recordOutcome) }),
  }
}

/** Restores a serialised Outcome. */
export function reviveOutcome(recorded: RecordedOutcome): PerformedOutcome {
  const { error, output, ...rest } = recorded
  return {
    ...rest,
    ...(output !== undefined && {
      output: recorded.tool === requestTool ? reviveRequest(output as RecordedRequest) : output,
    }),
    ...(error && { error: reviveError(error, reviveOutcome) }),
  }
}

function recordRequest({ rejected, started, ...rest }: RequestOutput): RecordedRequest {
  return {
    ...rest,
    ...(rejected && {
      rejected: rejected.map(({ error, ...call }) => ({ ...call, error: recordError(error, recordOutcome) })),
    }),
    started: Array.from(started, ([index, outcome]) => [index, recordOutcome(outcome)] as const),
  }
}

function reviveRequest({ rejected, started, ...rest }: RecordedRequest): RequestOutput {
  return {
    ...rest,
    ...(rejected && {
      rejected: rejected.map(({ error: { code, message, ...details }, ...call }) => ({
        ...call,
        error: new CallError(code as CallError['code'], message, details),
      })),
    }),
    started: started.map(([index, outcome]) => [index, reviveOutcome(outcome)] as const),
  }
}

/** Builds the Outcome of a Call whose output an engine cannot store; no part of it is written to the context either. */
export function withoutOutput(
  { message: _, ...outcome }: Omit<PerformedOutcome, 'output' | 'error'>,
  why: string,
): PerformedOutcome {
  const error = new OutputError('invalid_output', `The output of "${outcome.tool}" ${why}.`)
  return { ...outcome, status: 'failed', error, appended: [] }
}
