import type { PerformedOutcome } from '../agent/loop/executor.ts'
import { unstartedOutcome } from '../agent/loop/unstarted-outcome.ts'
import { timeLeft } from '../agent/run/time-left.ts'
import { asError } from '../call/call-errors.ts'
import type { Outcome } from '../call/outcome.ts'
import { stateBehind, timeoutOf } from '../call/registry-state.ts'
import type { RunOptions } from '../call/run-options.ts'
import type { Call, Message } from '../context/message.ts'
import { ActivityError, CallError, CallsheetError } from '../errors.ts'
import { isTooDeep } from '../json/is-too-deep.ts'
import { isJsonObject } from '../json/json.ts'
import { maximumDepth, tooDeep } from '../json/json-copy.ts'
import { isSameJson } from '../json/same-json.ts'
import { briefly } from '../problems/problem.ts'
import { declaresMore, isRepeatable } from '../schema/effects.ts'
import type { Effects, ToolSchema } from '../schema/schema.ts'
import { describe } from '../server/served-tools.ts'
import { unaskedModel } from './unasked-model.ts'

/** A Call sent to an Activity in another process, as plain JSON. */
export interface ActivityRequest<Given = Call> {
  readonly call: Given
  /** The idempotency key, which the Activity receives as `run.id`: the same however often the request is sent. */
  readonly id: string
  /** The context of the Call; absent if it needs none. */
  readonly context?: readonly Message[] | undefined
  /** True if the sender has resolved the References: inserted values must not be read as References again. */
  readonly isResolved?: boolean | undefined
  /** True if the Call was approved in this form: no hook of the worker may replace it. */
  readonly isApproved?: boolean | undefined
  /**
   * Set if some Calls need approval: the effects of the Tools whose Calls need none. A worker that declares others refuses a Call that
   * was not approved; a hook there puts no other Call in its place, and a delegate makes no other.
   */
  readonly unasked?: readonly Effects[] | undefined
  /** The deadline, in epoch milliseconds. */
  readonly deadline?: number | undefined
  /** The run that contains it: the key for the percentages of a `policy`, so that one run sees one variant (ACT-5). */
  readonly variantKey?: string | undefined
  /** The sender's hash of the Tool's contract. */
  readonly contract?: string | undefined
  /** The effects that the sender takes the Tool to have, if it decides by itself which Calls need an approval. */
  readonly effects?: Effects | undefined
}

/** The part of a registry that serving Calls uses. */
export interface ActivityTools {
  readonly names: readonly string[]
  get(name: string): ToolSchema | undefined
  run(call: Call, options?: RunOptions): Promise<Outcome>
}

/** Options of every Call that a worker serves: those of `Tool.run` that the request and the engine do not decide. */
export type ServedCallOptions = Omit<
  RunOptions,
  'context' | 'signal' | 'id' | 'attempt' | 'retry' | 'references' | 'timeout' | 'approved' | 'elsewhere'
>

/** How a worker runs the Calls that it receives. */
export interface ActivityRunOptions {
  /** Longest Call, in milliseconds. */
  readonly timeout: number
  /** Aborts when the Outcome can no longer be delivered. */
  readonly signal: AbortSignal
  /** The engine's count of attempts, from 1. */
  readonly attempt: number
  readonly run?: ServedCallOptions | undefined
}

/**
 * Runs a received Call once, to its Outcome; retries are the engine's. Refusals are Outcomes too, since an engine
 * retries exceptions: `invalid_call` for a malformed request, `contract_mismatch` for another contract.
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
  { timeout, signal, attempt, run = {} }: ActivityRunOptions,
): Promise<Outcome> {
  const { call, id, context = [], isResolved, isApproved, unasked, deadline, variantKey } = request
  const model = run.model ?? stateBehind(Tool)?.defaults.model
  await requireContract(Tool, name, request)
  if (!isApproved && unasked) requireUnasked(Tool.get(name), name, unasked)
  return Tool.run(call, {
    ...(variantKey !== undefined && { variantKey }),
    ...run,
    approved: isApproved || unasked,
    ...(model && unasked && { model: unaskedModel(model, unasked) }),
    id,
    attempt,
    context,
    signal,
    timeout: Math.min(timeout, timeLeft(deadline) ?? timeout, timeoutOf(Tool) ?? timeout),
    // Set explicitly, since a registry may have its own default: only the engine counts attempts.
    retry: { attempts: 1 },
    ...(isResolved && { references: false as const }),
  })
}

/**
 * Requires a received value to be a request for a Tool.
 *
 * @throws CallError `invalid_call`.
 */
export function requireRequest(given: unknown, name: string): ActivityRequest {
  if (isRequest(given, name)) return given
  if (isJsonObject(given) && isTooDeep(given.call, maximumDepth)) throw tooDeep()
  throw new CallError(
    'invalid_call',
    `"${name}" takes { call: { _tool: "${name}", … }, id: "a key", context: […] }, got ${briefly(given)}.`,
  )
}

function isRequest(given: unknown, name: string): given is ActivityRequest {
  if (!isJsonObject(given)) return false
  const { call, id } = given
  const isOne = isJsonObject(call) && call._tool === name && typeof id === 'string'
  // A deeper one would exhaust the stack wherever it is read, and an engine would send it again and again.
  return isOne && !isTooDeep(call, maximumDepth)
}

/**
 * True if another attempt may follow: for errors that CALL-7 retries, of Tools whose effects allow it (TOOL-9).
 *
 * @param name The Tool that was asked for; a hook may have replaced the Call by one of another, which has run.
 */
export function mayRunAgain(Tool: Pick<ActivityTools, 'get'>, name: string, outcome: Outcome): boolean {
  const { tool, status, attempts, error } = outcome
  if (status !== 'failed' || attempts === 0 || error?.code === 'timeout') return false
  return [name, tool].every((each) => isRepeatable(Tool.get(each)?.effects))
}

/** Restores the original Call in the Outcome of a Call that was sent with its References resolved. */
export function restoreWrittenCall<Kept extends Pick<PerformedOutcome, 'call' | 'appended' | 'message'>>(
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
  { contract: sent, effects: known }: ActivityRequest,
): Promise<void> {
  const schema = Tool.get(name)
  if (schema && declaresMore(schema, known)) {
    throw new CallsheetError(
      'contract_mismatch',
      `The caller takes the effects of "${name}" for ${known}, and this worker declares ${schema.effects ?? 'write'}. Deploy both from the same definitions.`,
    )
  }
  if (sent === undefined || !schema) return
  const { contract } = await describe(name, schema)
  if (contract === sent) return
  throw new CallsheetError(
    'contract_mismatch',
    `The caller has contract ${briefly(sent)} of "${name}", this worker ${contract}. Deploy both from the same contract, or compare the two with: callsheet diff.`,
  )
}

/** Requires that a Call which was not approved needs no approval by this worker's effects either: contracts do not include them. */
function requireUnasked(schema: ToolSchema | undefined, name: string, unasked: readonly Effects[]): void {
  const { effects = 'write' } = schema ?? {}
  if (!schema || unasked.includes(effects)) return
  throw new ActivityError(
    'refused',
    `"${name}" was refused: with the effects that this worker declares (${effects}) it needs an approval, and nobody was asked for it. Deploy its caller from the same definitions.`,
  )
}
