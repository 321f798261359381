import type { Outcome } from '../../call/outcome.ts'
import type { Call } from '../../context/message.ts'
import { type IsParameter, isUnblocked, planGraph } from '../../plan/plan-graph.ts'
import { isRepeatable } from '../../schema/effects.ts'
import { confirmRules, needsApproval } from '../approvals/confirm-options.ts'
import type { DispatchPolicy, Perform } from '../loop/executor.ts'
import type { PerformSettings } from './perform-settings.ts'

/** Starts a Call of a streamed answer; undefined for one that has to wait. */
export type EarlyStart = (call: Call, index: number) => Promise<Outcome> | undefined

/** Makes what starts the Calls of a streamed answer that may run before the rest of it is known (REQ-7). */
export function earlyStart(
  { options, meter, isParameter }: PerformSettings,
  key: string,
  { context, waiting = [], deadline }: DispatchPolicy,
  performCall: Perform,
): EarlyStart | undefined {
  const { early = 'safe', tools, stream, confirm } = options
  if (!stream || early === 'none' || options.plan === 'lazy') return undefined
  const rules = confirm && confirmRules(confirm)
  const known: Call[] = [...waiting]
  return (call, index) => {
    known.push(call)
    const effects = tools.get(call._tool)?.effects
    // What is asked for as part of a plan waits until the plan is there.
    const isAsked = rules?.askPlan !== undefined && needsApproval(rules, effects)
    if (isAsked || !(isRepeatable(effects) || early === 'all') || meter.shortage({ calls: 1 }))
      return undefined
    if (!isUnblocked(call, context, isParameter) || readsEarlierCalls(known, context, isParameter)) {
      return undefined
    }
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
