import { asError } from '../../call/as-error.ts'
import type { LatentModel } from '../../call/latent.ts'
import type { Outcome } from '../../call/outcome.ts'
import { statusOf } from '../../call/outcome-of.ts'
import type { Call } from '../../context/message.ts'
import type { CallsheetError } from '../../errors.ts'
import { type IsParameter, isUnblocked, planGraph } from '../../plan/plan-graph.ts'
import type { AgentOptions } from '../loop/agent-options.ts'
import { contextOf } from '../loop/call-policy.ts'
import type { DispatchPolicy, Perform, PerformedOutcome } from '../loop/executor.ts'
import type { Meter } from '../loop/meter.ts'
import { limitOfTime, type RequestOutput } from '../loop/request-call.ts'
import { Request } from '../request/request.ts'
import { RequestError } from '../transport/request-error.ts'

/** What performing needs besides the options. */
export interface PerformSettings {
  readonly options: AgentOptions
  /** Counts what is spent for real; a replayed run spends nothing. */
  readonly meter: Meter
  /** Answers latent Calls and delegates, counting on the meter that it is given. */
  readonly latent: (meter: Meter) => LatentModel
  readonly isParameter: IsParameter
}

/** Makes what performs the Calls and Requests of a run in this process. */
export function performer(settings: PerformSettings): Perform {
  const performCall = async (call: Call, key: string, policy: DispatchPolicy): Promise<PerformedOutcome> => {
    const { options, latent } = settings
    const meter = settings.meter.part()
    const shortage = settings.meter.shortage({ calls: 1 })
    if (shortage) return endedOutcome(call, key, shortage)
    settings.meter.add({ calls: 1 })
    const { tools, run = {}, confirm, signal } = options
    const timeout = smallest(run.timeout, timeLeft(policy.deadline))
    const outcome = await tools.run(call, {
      ...run,
      context: contextOf(policy),
      id: key,
      model: latent(meter),
      ...(confirm && { confirm }),
      ...(signal && { signal }),
      ...(timeout !== undefined && { timeout }),
    })
    const { turns, calls, tokens } = meter.spent
    return turns + calls + tokens > 0 ? { ...outcome, spent: meter.spent } : outcome
  }

  const performRequest = async (
    request: Call,
    key: string,
    policy: DispatchPolicy,
  ): Promise<PerformedOutcome> => {
    const { options, meter } = settings
    const startedAt = Date.now()
    const left = timeLeft(policy.deadline)
    const timeout = smallest(options.timeout, left)
    try {
      const shortage = meter.shortage({ turns: 1 })
      if (shortage) throw shortage
      meter.add({ turns: 1 })
      const result = await Request({
        ...options,
        context: policy.context,
        timeout,
        start: earlyStart(settings, key, policy, performCall),
      })
      const { solution, usage, attempts, mode, vessel } = result
      meter.add({ tokens: usage.in + usage.out })
      const started = await Promise.all(
        Array.from(result.started, async ([index, outcome]) => [index, await outcome] as const),
      )
      const output: RequestOutput = { solution, usage, attempts, mode, schema: vessel.schema, started }
      return { ...endedOutcome(request, key), output, attempts, startedAt, endedAt: Date.now() }
    } catch (thrown) {
      const error = asError(thrown, 'The Request failed')
      if (error instanceof RequestError) meter.add({ tokens: error.usage.in + error.usage.out })
      // The time that was over is the run's, where it had less left than the Request was given.
      const isLate = error.code === 'timeout' && left !== undefined && timeout === left
      return { ...endedOutcome(request, key, isLate ? limitOfTime() : error), startedAt }
    }
  }

  return async (call, key, policy) => {
    try {
      return await (policy.kind === 'request' ? performRequest : performCall)(call, key, policy)
    } catch (thrown) {
      return endedOutcome(call, key, asError(thrown, 'The Call could not be run'))
    }
  }
}

/** Starts the Calls of a streamed answer that may run before the rest of it is known (REQ-7). */
function earlyStart(
  { options, meter, isParameter }: PerformSettings,
  key: string,
  { context, waiting = [], deadline }: DispatchPolicy,
  performCall: Perform,
): ((call: Call, index: number) => Promise<Outcome> | undefined) | undefined {
  const { early = 'safe', tools, stream } = options
  if (!stream || early === 'none' || options.plan === 'lazy') return undefined
  const known: Call[] = [...waiting]
  return (call, index) => {
    known.push(call)
    const effects = tools.get(call._tool)?.effects
    const isAllowed = early === 'all' || effects === 'read' || effects === 'idempotent'
    if (!isAllowed || meter.shortage({ calls: 1 }) || !isUnblocked(call, context, isParameter))
      return undefined
    if (readsEarlierCalls(known, context, isParameter)) return undefined
    return performCall(call, `${key}.${index}`, { kind: 'call', context, effects, deadline })
  }
}

/** Whether the last of the Calls waits for one before it. */
function readsEarlierCalls(
  calls: readonly Call[],
  context: DispatchPolicy['context'],
  isParameter: IsParameter,
): boolean {
  try {
    return (planGraph(calls, context, isParameter).waitsFor.at(-1)?.length ?? 0) > 0
  } catch {
    // A plan that goes in a circle is an error once it is all there; until then nothing of it starts.
    return true
  }
}

function timeLeft(deadline: number | undefined): number | undefined {
  return deadline === undefined ? undefined : Math.max(1, deadline - Date.now())
}

function smallest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined ? right : right === undefined ? left : Math.min(left, right)
}

/** The Outcome of what no registry has run. */
function endedOutcome(call: Call, id: string, error?: CallsheetError): Outcome {
  const now = Date.now()
  return {
    id,
    call,
    tool: call._tool,
    mode: 'explicit',
    delegated: false,
    status: error ? statusOf(error) : 'succeeded',
    ...(error && { error }),
    appended: [],
    attempts: 0,
    startedAt: now,
    endedAt: now,
  }
}
