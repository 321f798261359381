import type { RunOptions } from '../../call/run-options.ts'
import type { Approval } from '../approvals/approval.ts'
import { contextOf } from '../loop/call-policy.ts'
import type { Perform } from '../loop/executor.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'
import type { PerformSettings } from './perform-settings.ts'
import { smallest, timeLeft } from './time-left.ts'

/** Makes what runs one Call of a plan by its registry, within what the run may still spend. */
export function callPerformer(settings: PerformSettings): Perform {
  const { options, latent, approver } = settings
  const { tools, run = {}, signal } = options
  const shared: RunOptions = { ...run, ...(signal && { signal }) }
  return async (call, key, policy) => {
    const shortage = settings.meter.shortage({ calls: 1 })
    if (shortage) return unstartedOutcome(call, key, shortage)
    settings.meter.add({ calls: 1 })
    const meter = settings.meter.part()
    const timeout = smallest(run.timeout, timeLeft(policy.deadline))
    let held: Approval | undefined
    const asked = policy.isApproved ? undefined : approver
    const outcome = await tools.run(call, {
      ...shared,
      context: contextOf(policy),
      id: key,
      model: latent(meter),
      ...(asked && { confirm: asked.confirm(key, (approval) => (held = approval)) }),
      ...(timeout !== undefined && { timeout }),
    })
    if (held && outcome.error?.code === 'approval_pending') {
      settings.meter.add({ calls: -1 })
      return { ...outcome, approval: held }
    }
    const { turns, calls, tokens } = meter.spent
    return turns + calls + tokens > 0 ? { ...outcome, spent: meter.spent } : outcome
  }
}
