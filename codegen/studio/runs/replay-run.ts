import type { Call, Message } from '../../../runtime/context/message.ts'
import { isSameJson } from '../../../runtime/json/same-json.ts'
import type { Workbench } from '../bench/workbench.ts'
import type { ReplayedCall } from '../wire/runs.ts'
import { callsOf, type RecordedRun, type Step } from './recorded-run.ts'

/**
 * Runs the read-only Calls of a run again, each in its recorded context, and reports different results. Calls that write are
 * not repeated.
 */
export async function replayRun(
  record: RecordedRun,
  bench: Workbench,
  signal: AbortSignal,
  tell: (replayed: ReplayedCall) => void,
): Promise<void> {
  const tools = new Map(bench.tools.map((tool) => [tool.name, tool]))
  for (const { key, call, context, step } of replayable(record)) {
    signal.throwIfAborted()
    const tool = tools.get(call._tool)
    const reason = !tool
      ? record.search?.name === call._tool
        ? 'It searches for Tools.'
        : 'The Tool no longer exists.'
      : tool.schema.effects !== 'read'
        ? 'The Tool does not only read.'
        : tool.activity === ''
          ? 'A model answers its Calls.'
          : undefined
    const was = step?.outcome?.output
    if (reason !== undefined) {
      tell({ key, call, result: 'not run', reason, ...(was !== undefined && { was }) })
      continue
    }
    const id = globalThis.crypto.randomUUID()
    const { output, error } = await bench.run(call, { id, context, signal }, () => undefined)
    const is = output ?? error
    const isSame = step !== undefined && isSameJson(was ?? step.outcome?.error ?? null, is ?? null)
    // A Vessel has chosen Calls without results, so there is nothing to compare with.
    tell({ key, call, result: isSame || !step ? 'same' : 'other', is, ...(was !== undefined && { was }) })
  }
}

interface Replayable {
  readonly key: string
  readonly call: Call
  readonly context: readonly Message[]
  readonly step: Step | undefined
}

/** Returns the Calls to replay, one by one: the contexts of a long run together would fill the memory. */
function* replayable(record: RecordedRun): Generator<Replayable> {
  const ran = record.steps.filter(({ kind }) => kind === 'call')
  for (const step of ran) yield { key: step.key, call: step.call, context: record.contextAfter(step), step }
  if (ran.length > 0) return
  for (const step of record.steps) {
    const context = record.contextOf(step)
    for (const [place, call] of callsOf(step).entries()) {
      yield { key: `${step.key}.${place}`, call, context, step: undefined }
    }
  }
}
