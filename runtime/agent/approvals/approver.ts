import { asError } from '../../call/call-errors.ts'
import type { Confirmation, ConfirmInfo } from '../../call/confirm.ts'
import type { Call } from '../../context/message.ts'
import { ActivityError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { isSameJson } from '../../json/same-json.ts'
import { briefly } from '../../problems/problem.ts'
import { wrongAnswer } from '../../problems/wrong-answer.ts'
import type { ToolSchema } from '../../schema/schema.ts'
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
  /** The hash of a contract that Approvals are bound to as a whole; unless said, each is bound to the Tools of its Calls. */
  readonly contract: string | undefined
  /** Whether that contract has the Tool of this name. What else there is came with the context, and can come anew. */
  readonly isInContract: (name: string) => boolean
  /** Whether somebody can be waited for: a delegate's run cannot be stored apart from the run that it is part of. */
  readonly canWait: boolean
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
        const now = await this.#approval({ id, scope: 'call', calls: [call] }, [info.tool])
        return (await this.#decided(decision, now)) ?? edited(decision, call)
      }
      // What nobody is asked for by now goes on waiting, whatever the rules are.
      const answer = isWanted && rules?.ask ? await rules.ask(copyJson(call), info) : 'pending'
      if (answer !== 'pending') return answer
      const approval = await this.#approval({ id, scope: 'call', calls: [call] }, [info.tool])
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
    schemaOf: (name: string) => ToolSchema | undefined,
    onHeld: (approval: Approval) => void,
  ): Promise<void> {
    const schemas = calls.map(({ _tool }) => schemaOf(_tool))
    const approval = await this.#approval({ id, scope: 'plan', calls }, schemas)
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

  async #approval(
    shown: Pick<Approval, 'id' | 'scope' | 'calls'>,
    schemas: readonly (ToolSchema | undefined)[],
  ): Promise<Approval> {
    const { runId, rules } = this.#settings
    const expiresAt = rules?.expiresIn === undefined ? undefined : Date.now() + rules.expiresIn
    const effects = schemas.map((schema) => schema?.effects ?? null)
    const byName = new Map(shown.calls.map(({ _tool }, index) => [_tool, schemas[index]]))
    return makeApproval({ ...shown, runId, effects, contract: await this.#contractOf(byName) }, expiresAt)
  }

  /** Hashes what the Calls are checked by, so that an Approval stays valid when Tools change that it does not show. */
  async #contractOf(shown: ReadonlyMap<string, ToolSchema | undefined>): Promise<string> {
    const { contract, isInContract } = this.#settings
    if (contract === undefined) return jsonDigest(asPlain(Array.from(shown)))
    const beside = Array.from(shown).filter(([name]) => !isInContract(name))
    return beside.length === 0 ? contract : jsonDigest(asPlain([contract, ...beside]))
  }

  /** @returns Why it is refused; undefined where it is approved. */
  async #decided(decision: Decision, now: Approval): Promise<{ readonly refuse: string } | undefined> {
    const { resume, claim } = this.#settings
    const shown = resume?.approvals.find(({ id }) => id === decision.approval)
    const isSame = shown && isSameJson({ ...shown, expiresAt: null }, { ...now, expiresAt: null })
    if (!isSame || decision.hash !== now.hash) {
      const since = shown ? `: ${whatChanged(shown, now)} since` : ''
      return { refuse: `what would run now is not what was shown for approval${since}` }
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

/** As JSON has it: schemas made in code may have members that are undefined. */
function asPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Names what differs, for whoever wonders why an approved Call did not run. */
function whatChanged(shown: Approval, now: Approval): string {
  if (!isSameJson(shown.effects, now.effects)) return 'the declared effects have changed'
  if (shown.contract !== now.contract) return 'the contract has changed'
  return 'the Call or what it reads has changed'
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
