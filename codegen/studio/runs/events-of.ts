import type { SuspendedRun } from '../../../runtime/agent/approvals/approval.ts'
import type { VesselData } from '../../../runtime/agent/ideas/vessel.ts'
import type { AgentResult } from '../../../runtime/agent/loop/agent-options.ts'
import type { PerformedOutcome } from '../../../runtime/agent/loop/executor.ts'
import { requestCall } from '../../../runtime/agent/loop/request-call.ts'
import type { RunEvent } from '../../../runtime/agent/loop/run-event.ts'
import type { Message } from '../../../runtime/context/message.ts'
import { isJsonObject, type JsonObject } from '../../../runtime/json/json.ts'

/**
 * Reads a file of JSON that a run has left as what happened in it: a Vessel, what an Agent resolved with or threw, or a run
 * that waits for approvals.
 *
 * @returns undefined for other JSON.
 */
export function eventsOf(data: unknown): RunEvent[] | undefined {
  if (!isJsonObject(data)) return undefined
  const { solution, schema, context, turns, approvals, waiting, result } = data
  // What was thrown, whole: the run so far is in it.
  if (isJsonObject(result)) return eventsOf(result)
  if (isJsonObject(solution) && isJsonObject(schema)) return vesselEvents(data as unknown as VesselData)
  if (Array.isArray(turns) && Array.isArray(context)) return resultEvents(data as unknown as AgentResult)
  if (Array.isArray(approvals) && Array.isArray(waiting) && Array.isArray(context)) {
    return suspendedEvents(data as unknown as SuspendedRun)
  }
  return undefined
}

const noOutput = { name: 'LoopError', code: 'no_output', message: 'The run ended without its output.' }
const noUsage = { in: 0, out: 0, cached: 0 }
const noSpent = { turns: 0, calls: 0, tokens: 0 }

function vesselEvents({ schema, context, solution, model, usage = noUsage }: VesselData): RunEvent[] {
  const runId = 'vessel'
  const output = { solution, usage, schema, attempts: 1 }
  return [
    { event: 'start', version: 1, runId, at: 0, ...(model !== undefined && { model }) },
    request(`${runId}:1`, 1, (context ?? []) as readonly Message[]),
    { event: 'settle', key: `${runId}:1`, at: 0, outcome: answered(1, output) },
    {
      event: 'end',
      runId,
      at: 0,
      output: solution.output,
      spent: { ...noSpent, turns: 1 },
      usage,
      messages: [],
    },
  ]
}

function resultEvents(result: AgentResult): RunEvent[] {
  const { runId, turns, context, output, usage, spent, waiting = [], suspended } = result
  const added = turns.reduce((sum, { appended }) => sum + appended.length, 0)
  let begin = Math.max(0, context.length - added)
  const at = turns[0]?.outcomes[0]?.startedAt ?? 0
  const events: RunEvent[] = [{ event: 'start', version: 1, runId, at }]
  let messages = context.slice(0, begin)
  for (const turn of turns) {
    const { solution, outcomes, appended, mode } = turn
    const key = `${runId}:${turn.turn}`
    const started = outcomes[0]?.startedAt ?? at
    events.push({ ...request(key, turn.turn, messages), at: started } as RunEvent)
    // As in a log: they belong to the answer, since nothing dispatched them.
    const rejected = outcomes.filter(({ id }) => id.startsWith(`${key}.rejected.`))
    const answer = answered(turn.turn, { solution, usage: turn.usage, mode, rejected })
    events.push({ event: 'settle', key, at: started, outcome: answer })
    for (const outcome of outcomes.filter((each) => !rejected.includes(each))) {
      const { id, call, startedAt, endedAt } = outcome
      events.push({ event: 'dispatch', key: id, kind: 'call', at: startedAt, call })
      events.push({ event: 'settle', key: id, at: endedAt, outcome: outcome as PerformedOutcome })
    }
    begin += appended.length
    messages = appended as Message[]
  }
  const end = turns.at(-1)?.outcomes.at(-1)?.endedAt ?? at
  events.push({
    event: 'end',
    runId,
    at: end,
    output,
    // What an error held: a run that only planned has Calls that wait.
    ...(output === null && waiting.length === 0 && { error: noOutput }),
    usage: usage ?? noUsage,
    spent: spent ?? noSpent,
    messages,
    ...(suspended && { suspended }),
  })
  return events
}

function suspendedEvents(suspended: SuspendedRun): RunEvent[] {
  const { runId, context, usage, spent } = suspended
  return [
    { event: 'start', version: 1, runId, at: 0 },
    { event: 'end', runId, at: 0, usage, spent, messages: context, suspended },
  ]
}

function request(key: string, turn: number, messages: readonly Message[]): RunEvent {
  return { event: 'dispatch', key, kind: 'request', at: 0, call: requestCall(turn), messages }
}

function answered(turn: number, output: JsonObject): PerformedOutcome {
  const call = requestCall(turn)
  return {
    id: String(turn),
    call,
    tool: call._tool,
    mode: 'explicit',
    delegated: false,
    status: 'succeeded',
    output,
    appended: [],
    attempts: 1,
    startedAt: 0,
    endedAt: 0,
  }
}
