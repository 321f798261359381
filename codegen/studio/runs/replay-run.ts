import type { Call } from '../../../runtime/context/message.ts'
import { isSameJson } from '../../../runtime/json/same-json.ts'
import type { Workbench } from '../bench/workbench.ts'
import type { ReplayedCall } from '../wire/runs.ts'
import { callsOf, type RecordedRun, type Step } from './recorded-run.ts'

/**
 * Runs the Calls of a run again that only read, each in the context that it had, and says what comes out otherwise. Calls that write
 * are left alone: they have happened.
 */
export async function replayRun(
  record: RecordedRun,
  bench: Workbench,
  signal: AbortSignal,
  tell: (replayed: ReplayedCall) => void,
): Promise<void> {
  const tools = new Map(bench.tools.map((tool) => [tool.name, tool]))
  for (const { key, call, before, step } of replayable(record)) {
    signal.throwIfAborted()
    const tool = tools.get(call._tool)
    const reason = !tool
      ? 'There is no such Tool any more.'
      : tool.schema.effects !== 'read'
        ? 'It does more than read.'
        : tool.activity === ''
          ? 'A model answers it.'
          : undefined
    const was = step?.outcome?.output
    if (reason !== undefined) {
      tell({ key, call, result: 'not run', reason, ...(was !== undefined && { was }) })
      continue
    }
    const context = record.messages.slice(0, before)
    const id = globalThis.crypto.randomUUID()
    const { output, error } = await bench.run(call, { id, context, signal }, () => undefined)
    const is = output ?? error
    const isSame = step !== undefined && isSameJson(was ?? step.outcome?.error ?? null, is ?? null)
    // A Vessel says what was chosen and not what came of it: there is nothing to compare with.
    tell({ key, call, result: isSame || !step ? 'same' : 'other', is, ...(was !== undefined && { was }) })
  }
}

interface Replayable {
  readonly key: string
  readonly call: Call
  readonly before: number
  readonly step: Step | undefined
}

/** References of a plan read what its other Calls wrote: the context of the next Request has that. */
function replayable({ steps, messages }: RecordedRun): Replayable[] {
  const ran = steps.filter(({ kind }) => kind === 'call')
  if (ran.length > 0) {
    return ran.map((step) => {
      const next = steps.find(({ kind, index }) => kind === 'request' && index > step.index)
      return { key: step.key, call: step.call, before: next?.before ?? messages.length, step }
    })
  }
  return steps.flatMap((step) =>
    callsOf(step).map((call, place) => ({
      key: `${step.key}.${place}`,
      call,
      before: step.before,
      step: undefined,
    })),
  )
}
