import type { Outcome } from '../../call/outcome.ts'
import { CopiedByCall, type CopiedData } from '../../context/copied-data.ts'
import type { Call } from '../../context/message.ts'
import { readTogether } from '../../context/read-together.ts'
import { IncomingPlan } from '../../plan/incoming-plan.ts'
import { isRepeatable } from '../../schema/effects.ts'
import { needsApproval, toConfirmRules } from '../approvals/confirm-options.ts'
import { callPolicy } from '../loop/call-policy.ts'
import type { DispatchPolicy, Perform } from '../loop/executor.ts'
import type { PerformSettings } from './perform-settings.ts'

/** Starts a Call of a streamed answer, by its index; undefined for one that must wait. */
export type EarlyStart = (call: Call, index: number) => Promise<Outcome> | undefined

/** Creates the function that starts the Calls of a streamed answer which may run before it is complete (REQ-7). */
export function earlyStart(
  { options, meter, readingOf }: PerformSettings,
  key: string,
  { context, waiting = [], deadline }: DispatchPolicy,
  performCall: Perform,
  copied: CopiedData,
): EarlyStart | undefined {
  const { early = 'safe', tools, stream, confirm } = options
  if (!stream || early === 'none' || options.plan === 'lazy') return undefined
  const rules = confirm && toConfirmRules(confirm)
  const reading = readingOf(context)
  const plan = new IncomingPlan(context, reading.isReadable)
  for (const call of waiting) plan.add(call)
  const { concurrency = Number.POSITIVE_INFINITY } = options
  const together = readTogether(context)
  let running = 0
  let isFull = false
  return (call, index) => {
    const isFree = plan.add(reading.complete(call))
    const effects = tools.get(call._tool)?.effects
    // A Call that needs approval as part of a plan waits until the plan is complete.
    const isAsked = rules?.askPlan !== undefined && needsApproval(rules, effects)
    if (!isFree || isAsked || !(isRepeatable(effects) || early === 'all')) return undefined
    // Once a Call exceeds `concurrency`, all later ones wait too, so that writes keep their order.
    isFull ||= running >= concurrency
    if (isFull || meter.shortage({ calls: 1 })) return undefined
    running++
    const copiedByCall = new CopiedByCall(copied)
    const view = readTogether(together, copiedByCall)
    return performCall(call, `${key}.${index}`, callPolicy(view, { effects, deadline })).then((outcome) => {
      running--
      copiedByCall.end(outcome.appended)
      return outcome
    })
  }
}
