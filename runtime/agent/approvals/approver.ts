import { asError } from '../../call/call-errors.ts'
import type { Confirmation, ConfirmInfo } from '../../call/confirm.ts'
import type { Call } from '../../context/message.ts'
import { ActivityError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { isSameJson } from '../../json/same-json.ts'
import { briefly } from '../../problems/problem.ts'
import { wrongAnswer } from '../../problems/wrong-answer.ts'
import type { Effects, ToolSchema } from '../../schema/schema.ts'
import { type Approval, type Decision, isAwaited, type SuspendedRun } from './approval.ts'
import { jsonDigest, makeApproval } from './approval-hash.ts'
import { type ConfirmRules, needsApproval, type PlanAnswer } from './confirm-options.ts'

export interface ApproverSettings {
  /** Absent where the run says nothing, and only waits for what an earlier one asked. */
  readonly rules: ConfirmRules | undefined
  readonly runId: string
  /** The run that is gone on with, whose Approvals the decisions answer. */
  readonly resume: SuspendedRun | undefined
  readonly decisions: ReadonlyMap<string, Decision>
  /** Told of a decision just before it takes effect; false when it has been used already, in whatever process. */
  readonly claim: ((approval: Approval) => boolean | Promise<boolean>) | undefined
  /** The hash of the contract; computed when the first Approval is made. */
  readonly contract: () => Promise<string>
  /** Whether the contract has the Tool of this name. What else there is is on in this context alone, or came with it, and can come anew. */
  readonly isInContract: (name: string) => boolean
  /** Whether somebody can be waited for: a delegate's run cannot be stored apart from the run that it is part of. */
  readonly canWait: boolean
}

/** What is asked for, as it is known before the contract is. */
interface ShownCalls extends Pick<Approval, 'id' | 'scope' | 'calls'> {
  readonly effects: readonly (Effects | undefined)[]
}

/** What the Tools of a plan's Calls are. */
export interface PlannedTools {
  readonly effectsOf: (call: Call) => Effects | undefined
  readonly schemaOf: (name: string) => ToolSchema | undefined
}

/** Asks before Calls and plans run, and applies decisions that were made about them (REQ-9). */
export class Approver {
  readonly #settings: ApproverSettings
  /** Decisions that have taken effect here. */
  readonly #used = new Set<string>()

  constructor(settings: ApproverSettings) {
    this.#settings = settings
  }

  /**
   * Makes the question about one Call; none where this run has nothing to ask, so that what the registry asks by itself stands.
   *
   * @param onHeld Told of the Approval when the answer comes later; the Call then does not run.
   */
  confirm(
    id: string,
    onHeld: (approval: Approval) => void,
  ): ((call: Call, info: ConfirmInfo) => Promise<Confirmation>) | undefined {
    const { rules } = this.#settings
    if (!rules && !isAwaited(this.#settings.resume, id)) return undefined
    return async (call, info) => {
      const { effects } = info.tool
      const isWanted = rules !== undefined && needsApproval(rules, effects)
      if (!isWanted && !isAwaited(this.#settings.resume, id)) return true
      const decision = this.#settings.decisions.get(id)
      if (decision) {
        const now = await this.#approvalOf(id, call, info)
        return (await this.#decided(decision, now)) ?? edited(decision, call)
      }
      // What nobody is asked for by now goes on waiting, whatever the rules are.
      const answer = isWanted && rules?.ask ? await rules.ask(copyJson(call), info) : 'pending'
      if (answer !== 'pending') return answer
      const approval = await this.#approvalOf(id, call, info)
      throw this.#hold(approval, onHeld)
    }
  }

  /**
   * Asks whether a plan may run.
   *
   * @throws ActivityError `refused`, or `approval_pending` once `onHeld` was told.
   */
  async confirmPlan(
    id: string,
    calls: readonly Call[],
    { effectsOf, schemaOf }: PlannedTools,
    onHeld: (approval: Approval) => void,
  ): Promise<void> {
    const { isInContract } = this.#settings
    const beside = new Set(calls.map(({ _tool }) => _tool).filter((name) => !isInContract(name)))
    const shown = { id, scope: 'plan', calls, effects: calls.map(effectsOf) } as const
    const approval = await this.#approval(shown, Array.from(beside, schemaOf))
    const answer = await this.#planAnswer(approval)
    if (answer === true) return
    if (answer === 'pending') throw this.#hold(approval, onHeld)
    throw new ActivityError('refused', `The plan was refused${whyRefused(answer)}.`)
  }

  async #planAnswer(approval: Approval): Promise<PlanAnswer> {
    const { rules, decisions } = this.#settings
    const decision = decisions.get(approval.id)
    if (decision) return (await this.#decided(decision, approval)) ?? true
    return rules?.askPlan ? await rules.askPlan(approval) : 'pending'
  }

  #hold(approval: Approval, onHeld: (approval: Approval) => void): ActivityError {
    if (!this.#settings.canWait) {
      return new ActivityError('refused', 'A delegate cannot wait for an approval, so this was refused.')
    }
    onHeld(approval)
    return new ActivityError('approval_pending', 'It waits for an approval, and has not run.')
  }

  #approvalOf(id: string, call: Call, { tool }: ConfirmInfo): Promise<Approval> {
    const shown = { id, scope: 'call', calls: [call], effects: [tool.effects] } as const
    return this.#approval(shown, this.#settings.isInContract(call._tool) ? [] : [tool])
  }

  /** @param beside The schemas of those of its Tools that are not in the contract: others may stand there once it is decided. */
  async #approval(
    { effects, ...shown }: ShownCalls,
    beside: readonly (ToolSchema | undefined)[],
  ): Promise<Approval> {
    const { runId, rules, contract: contractOf } = this.#settings
    const expiresAt = rules?.expiresIn === undefined ? undefined : Date.now() + rules.expiresIn
    const ofAll = await contractOf()
    const plain: unknown = JSON.parse(JSON.stringify([ofAll, ...beside]))
    const contract = beside.length === 0 ? ofAll : await jsonDigest(plain)
    return makeApproval(
      { ...shown, runId, effects: effects.map((each) => each ?? null), contract },
      expiresAt,
    )
  }

  /** @returns Why it is refused; undefined where it is approved. */
  async #decided(decision: Decision, now: Approval): Promise<{ readonly refuse: string } | undefined> {
    const { resume, claim } = this.#settings
    const shown = resume?.approvals.find(({ id }) => id === decision.approval)
    const isSame = shown && isSameJson({ ...shown, expiresAt: null }, { ...now, expiresAt: null })
    if (!isSame || decision.hash !== now.hash) {
      return { refuse: 'what would run now is not what was shown for approval' }
    }
    if (!decision.approve) return { refuse: decision.reason ?? 'it was not approved' }
    if (shown.expiresAt !== undefined && Date.now() > shown.expiresAt) {
      return { refuse: 'the approval came too late' }
    }
    const isFirst: unknown = !this.#used.has(now.id) && (claim ? await answerOf(claim, shown) : true)
    if (isFirst === false) return { refuse: 'the decision has been used already' }
    // What a database says of a row that was there already is an object, and no yes.
    if (isFirst !== true) throw wrongAnswer('`claim`', 'true, or false where it has been used', isFirst)
    this.#used.add(now.id)
    return undefined
  }
}

/** @throws ActivityError in words that say who threw: the question that this is part of is nobody's own. */
async function answerOf(claim: NonNullable<ApproverSettings['claim']>, shown: Approval): Promise<unknown> {
  try {
    return await claim(shown)
  } catch (thrown) {
    throw asError(thrown, '`claim` threw')
  }
}

function whyRefused(answer: unknown): string {
  if (answer === false) return ''
  if (isJsonObject(answer) && typeof answer.refuse === 'string') return `: ${answer.refuse}`
  return `: \`askPlan\` answered ${briefly(answer)}, and only true approves`
}

/** What runs of an approved Call: itself, or what it was edited to. */
function edited({ call }: Decision, shown: Call): Confirmation {
  if (call === undefined) return true
  if (call._tool === shown._tool) return { replace: call }
  return { refuse: `it was edited into a Call of another Tool, ${JSON.stringify(call._tool)}` }
}
