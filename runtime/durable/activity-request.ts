import type { PerformedOutcome } from '../agent/loop/executor.ts'
import { unstartedOutcome } from '../agent/loop/unstarted-outcome.ts'
import { timeLeft } from '../agent/run/time-left.ts'
import { asError } from '../call/call-errors.ts'
import type { Outcome } from '../call/outcome.ts'
import { timeoutOf } from '../call/registry-state.ts'
import type { RunOptions } from '../call/run-options.ts'
import type { Call, Message } from '../context/message.ts'
import { CallError, CallsheetError } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import { briefly } from '../problems/problem.ts'
import { isRepeatable } from '../schema/effects.ts'
import type { ToolSchema } from '../schema/schema.ts'
import { describe } from '../server/served-tools.ts'

/** What an Activity that runs elsewhere is sent: one Call, as plain JSON. */
export interface ActivityRequest<Given extends Call = Call> {
  readonly call: Given
  /** The idempotency key, which the Activity gets as `run.id`: the same however often it is sent. */
  readonly id: string
  /** The Messages that the Call runs in; none where it needs none. */
  readonly context?: readonly Message[] | undefined
  /** References were resolved by the sender: what was put in is not read again. */
  readonly isResolved?: boolean | undefined
  /** Somebody was shown the Call as it is, and approved that: no hook of the worker's puts another one in its place. */
  readonly isApproved?: boolean | undefined
  /** Epoch milliseconds by which it has to be over. */
  readonly deadline?: number | undefined
  /** The run that it is part of: what percentages of a `policy` go by, so that one run sees one variant (ACT-5). */
  readonly variantKey?: string | undefined
  /** The hash of the Tool's contract, as the sender knows it. */
  readonly contract?: string | undefined
}

/** What running Calls for others needs of a registry. */
export interface ActivityTools {
  readonly names: readonly string[]
  get(name: string): ToolSchema | undefined
  run(call: Call, options?: RunOptions): Promise<Outcome>
}

/** Options of every Call that a worker serves: those of `Tool.run` but for what the request and the engine decide. */
export type ServedCallOptions = Omit<
  RunOptions,
  'context' | 'signal' | 'id' | 'retry' | 'references' | 'timeout' | 'approved' | 'elsewhere'
>

/** How a worker runs what it is sent. */
export interface ActivityRunOptions {
  /** The most milliseconds that a Call may take. */
  readonly timeout: number
  /** Aborts when nobody can take its Outcome any more. */
  readonly signal: AbortSignal
  readonly run?: ServedCallOptions | undefined
}

/**
 * Runs a Call that was sent, once, to its Outcome: another attempt is the engine's to make. What turns the Call away is an Outcome as well,
 * `invalid_call` for anything but a request and `contract_mismatch` for one of another contract: an engine repeats what throws.
 */
export async function runActivity(
  Tool: ActivityTools,
  name: string,
  given: unknown,
  options: ActivityRunOptions,
): Promise<Outcome> {
  const { call, id } = isRequest(given, name) ? given : { call: { _tool: name }, id: '' }
  try {
    return await runRequest(Tool, name, requireRequest(given, name), options)
  } catch (thrown) {
    return unstartedOutcome(call, id, asError(thrown, 'The Call could not be run'))
  }
}

async function runRequest(
  Tool: ActivityTools,
  name: string,
  request: ActivityRequest,
  { timeout, signal, run = {} }: ActivityRunOptions,
): Promise<Outcome> {
  const { call, id, context = [], isResolved, isApproved, deadline, variantKey, contract } = request
  await requireContract(Tool, name, contract)
  return Tool.run(call, {
    ...(variantKey !== undefined && { variantKey }),
    ...run,
    approved: isApproved,
    id,
    context,
    signal,
    timeout: Math.min(timeout, timeLeft(deadline) ?? timeout, timeoutOf(Tool) ?? timeout),
    // Said outright, since a registry may have a default of its own: attempts are counted in one place.
    retry: { attempts: 1 },
    ...(isResolved && { references: false as const }),
  })
}

/**
 * Requires what a worker was sent to be a request of a Tool.
 *
 * @throws CallError `invalid_call`.
 */
export function requireRequest(given: unknown, name: string): ActivityRequest {
  if (isRequest(given, name)) return given
  throw new CallError(
    'invalid_call',
    `"${name}" takes { call: { _tool: "${name}", … }, id: "a key", context: […] }, got ${briefly(given)}.`,
  )
}

function isRequest(given: unknown, name: string): given is ActivityRequest {
  if (!isJsonObject(given)) return false
  const { call, id } = given
  return isJsonObject(call) && call._tool === name && typeof id === 'string'
}

/** Whether another attempt may follow: what CALL-7 repeats, of Tools that say that it does no harm (TOOL-9). */
export function mayRunAgain(outcome: Outcome, schema: ToolSchema | undefined): boolean {
  const { status, attempts, error } = outcome
  return isRepeatable(schema?.effects) && status === 'failed' && attempts > 0 && error?.code !== 'timeout'
}

/** The Outcome of a Call that was sent with values in place of its References, as if it had been sent as it was written. */
export function asWritten<Kept extends Pick<PerformedOutcome, 'call' | 'appended' | 'message'>>(
  outcome: Kept,
  sent: Call,
  written: Call,
): Kept {
  const ofCall = <Told extends Message>(message: Told): Told =>
    '_call' in message && isSameJson(message._call, sent) ? { ...message, _call: written } : message
  return {
    ...outcome,
    call: written,
    appended: outcome.appended.map(ofCall),
    ...(outcome.message && { message: ofCall(outcome.message) }),
  }
}

async function requireContract(
  Tool: Pick<ActivityTools, 'get'>,
  name: string,
  sent: string | undefined,
): Promise<void> {
  const schema = Tool.get(name)
  if (sent === undefined || !schema) return
  const { contract } = await describe(name, schema)
  if (contract === sent) return
  throw new CallsheetError(
    'contract_mismatch',
    `The caller knows contract ${briefly(sent)} of "${name}", and this worker has ${contract}. Deploy both from one, or see what differs: callsheet diff.`,
  )
}
