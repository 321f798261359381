import type { Confirm } from '../../call/confirm.ts'
import { isApproval } from '../../call/controls/confirm-call.ts'
import { keepShownTexts } from '../../call/controls/replacement.ts'
import type { LatentModel, LatentRequest } from '../../call/latent.ts'
import type { Outcome } from '../../call/outcome.ts'
import type { Call } from '../../context/message.ts'
import { ActivityError } from '../../errors.ts'
import { copyJson } from '../../json/json-copy.ts'
import { isJson } from '../../json/not-json.ts'
import type { IdeaData } from '../../tools/idea-data.ts'
import type { Approval } from '../approvals/approval.ts'
import { contextOf } from '../loop/call-policy.ts'
import type { DispatchPolicy, Perform, PerformedOutcome } from '../loop/executor.ts'
import type { Meter } from '../loop/meter.ts'
import { unstartedOutcome } from '../loop/unstarted-outcome.ts'
import type { PerformSettings } from './perform-settings.ts'
import { schemasIn } from './schemas-in.ts'
import { smallerOf, timeLeft } from './time-left.ts'

/** Creates the function that runs one Call of a plan with its registry, within the limits of the run. */
export function callPerformer(settings: PerformSettings): Perform {
  const { options, latent, approver } = settings
  const { tools, run = {}, signal } = options
  return async (call, key, policy) => {
    const shortage = settings.meter.shortage({ calls: 1 })
    if (shortage) return unstartedOutcome(call, key, shortage)
    if (policy.isApproved && !(await isAsApproved(settings, call, policy))) {
      return unstartedOutcome(call, key, changedSince(call))
    }
    settings.meter.add({ calls: 1 })
    const meter = settings.meter.part()
    const timeout = smallerOf(run.timeout, timeLeft(policy.deadline))
    let held: Approval | undefined
    let approved: PerformedOutcome['approved']
    const asked = policy.isApproved ? undefined : approver
    const ask = asked?.confirm(key, (approval) => (held = approval))
    const untilItRuns = policy.endsByItself ? abortedUntilItRuns(signal, ask) : { signal, ask }
    const confirm = policy.asksOnly ? askOnly(settings, ask, (what) => (approved = what)) : untilItRuns.ask
    const ended = await tools.run(call, {
      ...run,
      ...(untilItRuns.signal && { signal: untilItRuns.signal }),
      context: contextOf(policy),
      id: key,
      model: new ModelOfCall(latent, meter),
      ...(confirm && { confirm }),
      // The approved plan was shown with this Call, so a hook may not replace it.
      ...(policy.isApproved && { approved: true }),
      ...(timeout !== undefined && { timeout }),
    })
    const outcome = withOwnOutput(ended)
    if (policy.asksOnly) settings.meter.add({ calls: -1 })
    if (approved) return { ...outcome, approved }
    // The Call has not run and waits for approval, whatever a hook made of its Outcome.
    if (held) {
      if (!policy.asksOnly) settings.meter.add({ calls: -1 })
      return { ...outcome, approval: held }
    }
    // An Activity reports its tokens itself; those of a delegate are counted already.
    const { usage } = outcome
    if (usage) meter.add({ tokens: Math.max(0, usage.in + usage.out - meter.spent.tokens) })
    const { turns, calls, tokens } = meter.spent
    return turns + calls + tokens > 0 ? { ...outcome, spent: meter.spent } : outcome
  }
}

/** True if the Tool of a Call of an approved plan is still the one that was approved: the Call may have waited for long. */
async function isAsApproved(
  { approver, options }: PerformSettings,
  call: Call,
  policy: DispatchPolicy,
): Promise<boolean> {
  const now = await approver?.contractOf(call, schemasIn(options, policy.context))
  return now !== undefined && now === policy.approvedContract
}

function changedSince({ _tool }: Call): ActivityError {
  return new ActivityError(
    'refused',
    `"${_tool}" was refused: the contract has changed since its plan was approved.`,
  )
}

/** Copies an Outcome's output: an Activity may continue to change its returned object, and the record must not change. */
function withOwnOutput(outcome: Outcome): Outcome {
  const { output } = outcome
  // A hook may have set a value that is not JSON: it is reported unchanged.
  if (typeof output !== 'object' || output === null || !isJson(output)) return outcome
  return { ...outcome, output: copyJson(output) }
}

/** Creates the model for a latent Call only when it is needed: most Calls have an Activity. */
class ModelOfCall implements LatentModel {
  readonly #make: PerformSettings['latent']
  readonly #meter: Meter

  constructor(make: PerformSettings['latent'], meter: Meter) {
    this.#make = make
    this.#meter = meter
  }

  answer({ under: _, ...request }: LatentRequest): Promise<unknown> {
    // For its delegates the run's `confirm` applies; the Call's own is only about this Call.
    return this.#make(this.#meter).answer(request)
  }

  async idea(name: string): Promise<IdeaData | undefined> {
    return this.#make(this.#meter).idea?.(name)
  }
}

/** Lets an abort end the question whether a Call may run, and no longer the Call once it is approved. */
function abortedUntilItRuns(
  signal: AbortSignal | undefined,
  ask: Confirm | undefined,
): { readonly signal?: AbortSignal; readonly ask?: Confirm } {
  if (!signal || !ask) return {}
  const asking = new AbortController()
  const abort = (): void => asking.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return {
    signal: asking.signal,
    ask: async (call, info) => {
      try {
        return await ask(call, info)
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
  }
}

/** Checks and confirms a Call without running it, which another process does. */
function askOnly(
  { options: { tools, run } }: PerformSettings,
  ask: Confirm | undefined,
  onApproved: (what: PerformedOutcome['approved']) => void,
): Confirm {
  return async (call, info) => {
    const answer = ask ? await ask(call, info) : true
    if (!isApproval(answer)) return answer
    if (answer === true) onApproved({ call, isResolved: true })
    else {
      const { replace } = answer
      const schema = replace._tool === call._tool ? info.tool : tools.get(replace._tool)
      onApproved({ call: keepShownTexts(replace, call, schema, run?.references), isResolved: false })
    }
    throw new ActivityError('aborted', 'It may run, and runs elsewhere.')
  }
}
