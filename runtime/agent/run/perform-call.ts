import type { Confirm } from '../../call/confirm.ts'
import { isApproval } from '../../call/controls/confirm-call.ts'
import type { LatentModel, LatentRequest } from '../../call/latent.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { RunOptions } from '../../call/run-options.ts'
import { ActivityError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import { isJson } from '../../json/not-json.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import type { Approval } from '../approvals/approval.ts'
import { contextOf } from '../loop/call-policy.ts'
import type { Perform, PerformedOutcome } from '../loop/executor.ts'
import type { Meter } from '../loop/meter.ts'
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
    let approved: PerformedOutcome['approved']
    const asked = policy.isApproved ? undefined : approver
    const ask = asked?.confirm(key, (approval) => (held = approval))
    const confirm = policy.asksOnly ? askOnly(ask, (what) => (approved = what)) : ask
    const ended = await tools.run(call, {
      ...shared,
      context: contextOf(policy),
      id: key,
      model: new ModelOfCall(latent, meter),
      ...(confirm && { confirm }),
      // Its plan was shown: a hook does not put another Call in its place.
      ...(policy.isApproved && { approved: true }),
      ...(timeout !== undefined && { timeout }),
    })
    const outcome = withOwnOutput(ended)
    if (policy.asksOnly) settings.meter.add({ calls: -1 })
    if (approved) return { ...outcome, approved }
    // Whatever a hook made of its Outcome: it has not run, and somebody is to be asked.
    if (held) {
      if (!policy.asksOnly) settings.meter.add({ calls: -1 })
      return { ...outcome, approval: held }
    }
    const { turns, calls, tokens } = meter.spent
    return turns + calls + tokens > 0 ? { ...outcome, spent: meter.spent } : outcome
  }
}

/** An Outcome with an output of its own: an Activity may go on changing what it returned, and the record must not follow. */
function withOwnOutput(outcome: Outcome): Outcome {
  const { output } = outcome
  // What a hook put there may be no JSON: it is told as what it is.
  if (typeof output !== 'object' || output === null || !isJson(output)) return outcome
  return { ...outcome, output: copyJson(output) }
}

/** Makes what answers a latent Call when it is asked: most Calls have an Activity. */
class ModelOfCall implements LatentModel {
  readonly #make: PerformSettings['latent']
  readonly #meter: Meter

  constructor(make: PerformSettings['latent'], meter: Meter) {
    this.#make = make
    this.#meter = meter
  }

  answer({ under: _, ...request }: LatentRequest): Promise<unknown> {
    // Its delegates are asked for as the run says: the question that the Call was given is about this Call alone.
    return this.#make(this.#meter).answer(request)
  }

  async idea(name: string): Promise<IdeaData | undefined> {
    return this.#make(this.#meter).idea?.(name)
  }
}

/** Checks a Call and asks for it, and then does not run it: that is done elsewhere. */
function askOnly(
  ask: Confirm | undefined,
  onApproved: (what: PerformedOutcome['approved']) => void,
): Confirm {
  return async (call, info) => {
    const answer = ask ? await ask(call, info) : true
    if (!isApproval(answer)) return answer
    onApproved(answer === true ? { call, isResolved: true } : { call: answer.replace, isResolved: false })
    throw new ActivityError('aborted', 'It may run, and runs elsewhere.')
  }
}
