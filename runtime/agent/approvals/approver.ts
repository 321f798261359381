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
  /** Absent if the run has no `confirm` option and only applies decisions about the Approvals of {@link resume}. */
  readonly rules: ConfirmRules | undefined
  readonly runId: string
  /** The suspended run that is resumed; the decisions answer its Approvals. */
  readonly resume: SuspendedRun | undefined
  readonly decisions: ReadonlyMap<string, Decision>
  /** Called just before a decision takes effect; returns false if it was used already, in this or another process. */
  readonly claim: ((approval: Approval) => boolean | Promise<boolean>) | undefined
  /** The hash of a contract that all Approvals are bound to. Without it, each is bound to the Tools of its Calls. */
  readonly contract: string | undefined
  /**
   * Tells whether that contract covers the Tool of this name. Other Tools came with the context and may change with it.
   */
  readonly isInContract: (name: string) => boolean
  /** False for a delegate: its run cannot be suspended and stored apart from the outer run. */
  readonly canWait: boolean
}

/** Finds the schema of a Tool, registered or from the context. */
export type SchemaOf = (name: string) => ToolSchema | undefined

/** Asks before Calls and plans run, and applies decisions that were made about them (REQ-9). */
export class Approver {
  readonly #settings: ApproverSettings
  /** Ids of the Approvals whose decisions took effect in this process. */
  readonly #used = new Set<string>()

  constructor(settings: ApproverSettings) {
    this.#settings = settings
  }

  /**
   * Makes the `confirm` hook for one Call. Returns undefined if this run asks nothing about it, so that the registry's
   * own hook stays in effect.
   *
   * @param onHeld Receives the Approval if the answer comes later; the Call then does not run.
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
        const now = await this.#makeApproval({ id, scope: 'call', calls: [call] }, [info.tool])
        return (await this.#applyDecision(decision, now)) ?? approvedCall(decision, call)
      }
      // A Call that waited already keeps waiting, even if the current rules do not ask for it.
      const answer = isWanted && rules?.ask ? await rules.ask(copyJson(call), info) : 'pending'
      if (answer !== 'pending') return answer
      const approval = await this.#makeApproval({ id, scope: 'call', calls: [call] }, [info.tool])
      throw this.#hold(approval, onHeld)
    }
  }

  /**
   * Asks whether a plan may run.
   *
   * @returns The contract of each Call. A Call may run much later, and is refused if its Tool has another one then.
   * @throws ActivityError `refused`, or `approval_pending` after `onHeld` received the Approval.
   */
  async confirmPlan(
    id: string,
    calls: readonly Call[],
    schemaOf: SchemaOf,
    onHeld: (approval: Approval) => void,
  ): Promise<readonly string[]> {
    const asIsNow = (): Promise<Approval> =>
      this.#makeApproval(
        { id, scope: 'plan', calls },
        calls.map(({ _tool }) => schemaOf(_tool)),
      )
    const approval = await asIsNow()
    const answer = await this.#planAnswer(approval)
    if (answer === 'pending') throw this.#hold(approval, onHeld)
    if (answer !== true) throw new ActivityError('refused', `The plan was refused${whyRefused(answer)}.`)
    const contracts = await this.#contractsOf(calls, schemaOf)
    const now = await asIsNow()
    if (now.hash === approval.hash) return contracts
    const why = `${whatChanged(approval, now)} while it waited for the approval`
    throw new ActivityError('refused', `The plan was refused: ${why}.`)
  }

  #contractsOf(calls: readonly Call[], schemaOf: SchemaOf): Promise<readonly string[]> {
    const byTool = new Map<string, Promise<string>>()
    for (const call of calls) {
      if (!byTool.has(call._tool)) byTool.set(call._tool, this.contractOf(call, schemaOf))
    }
    return Promise.all(calls.map(({ _tool }) => byTool.get(_tool) as Promise<string>)) // safe cast: set above
  }

  /** Returns the contract that an approval of the Call is bound to, with its Tool's effects, which a given one leaves out. */
  async contractOf({ _tool }: Call, schemaOf: SchemaOf): Promise<string> {
    const schema = schemaOf(_tool)
    const bound = await this.#contractOf(new Map([[_tool, schema]]))
    return this.#settings.contract === undefined ? bound : `${bound} ${schema?.effects}`
  }

  async #planAnswer(approval: Approval): Promise<PlanAnswer> {
    const { rules, decisions } = this.#settings
    const decision = decisions.get(approval.id)
    if (decision) return (await this.#applyDecision(decision, approval)) ?? true
    // A copy, so that it cannot change what is stored: a plan waits under its id.
    return rules?.askPlan ? await rules.askPlan(copyJson(approval)) : 'pending'
  }

  #hold(approval: Approval, onHeld: (approval: Approval) => void): ActivityError {
    if (!this.#settings.canWait) {
      return new ActivityError('refused', 'A delegate cannot wait for an approval, so this was refused.')
    }
    onHeld(approval)
    return new ActivityError('approval_pending', 'It waits for an approval, and has not run.')
  }

  async #makeApproval(
    shown: Pick<Approval, 'id' | 'scope' | 'calls'>,
    schemas: readonly (ToolSchema | undefined)[],
  ): Promise<Approval> {
    const { runId, rules } = this.#settings
    const { expiresIn = Number.POSITIVE_INFINITY } = rules ?? {}
    // JSON has no infinity.
    const expiresAt = expiresIn === Number.POSITIVE_INFINITY ? undefined : Date.now() + expiresIn
    const effects = schemas.map((schema) => schema?.effects ?? null)
    const byName = new Map(shown.calls.map(({ _tool }, index) => [_tool, schemas[index]]))
    return makeApproval({ ...shown, runId, effects, contract: await this.#contractOf(byName) }, expiresAt)
  }

  /** Hashes only the schemas that check these Calls, so that an Approval stays valid when other Tools change. */
  async #contractOf(shown: ReadonlyMap<string, ToolSchema | undefined>): Promise<string> {
    const { contract, isInContract } = this.#settings
    if (contract === undefined) return jsonDigest(toPlainJson(Array.from(shown)))
    const outside = Array.from(shown).filter(([name]) => !isInContract(name))
    return outside.length === 0 ? contract : jsonDigest(toPlainJson([contract, ...outside]))
  }

  /**
   * Checks a decision against what would run now, and marks it as used.
   *
   * @returns The reason of a refusal; undefined if the decision approves.
   */
  async #applyDecision(decision: Decision, now: Approval): Promise<{ readonly refuse: string } | undefined> {
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
    const isFirst: unknown =
      !this.#used.has(now.id) && (claim ? await callClaim(claim, copyJson(shown)) : true)
    if (isFirst === false) return { refuse: 'the decision has been used already' }
    // Only true counts: a database driver may return an object that says that the row existed already.
    if (isFirst !== true) throw wrongAnswer('`claim`', 'true, or false where it has been used', isFirst)
    this.#used.add(now.id)
    return undefined
  }
}

/** Copies through JSON: schemas that were built in code may have members that are undefined. */
function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Describes the difference, to explain why an approved Call did not run. */
function whatChanged(shown: Approval, now: Approval): string {
  if (!isSameJson(shown.effects, now.effects)) return 'the declared effects have changed'
  if (shown.contract !== now.contract) return 'the contract has changed'
  return 'the Call or what it reads has changed'
}

/** @throws ActivityError that names `claim`: without it the error would look as if `confirm` had thrown. */
async function callClaim(claim: NonNullable<ApproverSettings['claim']>, shown: Approval): Promise<unknown> {
  try {
    return await claim(shown)
  } catch (thrown) {
    throw asError(thrown, '`claim` threw')
  }
}

function whyRefused(answer: unknown): string {
  if (answer === false) return ''
  if (isJsonObject(answer) && typeof answer.refuse === 'string') return answer.refuse && `: ${answer.refuse}`
  return `: \`askPlan\` answered ${briefly(answer)}, and only true approves`
}

/** Returns what runs of an approved Call: the Call itself, or the one that the decision replaces it with. */
function approvedCall({ call }: Decision, shown: Call): Confirmation {
  if (call === undefined) return true
  if (call._tool === shown._tool) return { replace: call }
  return { refuse: `it was edited into a Call of another Tool, ${JSON.stringify(call._tool)}` }
}
