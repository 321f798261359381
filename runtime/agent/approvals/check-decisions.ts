import { CallsheetError } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import { briefly, listSome, saidProblems } from '../../problems/problem.ts'
import type { Approval, Decision, SuspendedRun } from './approval.ts'

/**
 * Checks decisions and maps them by the id of the Approval that they answer. The same decision given twice counts once.
 *
 * @throws CallsheetError `invalid_options` with the first problems: a decision about an Approval that is not pending, a hash
 * that differs from the Approval's, two contradicting decisions, or a decision that came too late. Nothing has run
 * then.
 *
 * @param now When the decisions arrived, in epoch milliseconds. Without it, expiry is not checked here but on use.
 */
export function checkDecisions(
  decisions: readonly Decision[],
  resume: Pick<SuspendedRun, 'approvals'> | undefined,
  now?: number,
): ReadonlyMap<string, Decision> {
  const asked = new Map((resume?.approvals ?? []).map((approval) => [approval.id, approval]))
  const byApproval = new Map<string, Decision>()
  const problems = decisions.flatMap((decision, index) => {
    const problem = problemOf(decision, asked, byApproval, now)
    if (problem !== undefined) return [`decisions[${index}] ${problem}`]
    byApproval.set(decision.approval, decision)
    return []
  })
  if (problems.length === 0) return byApproval
  throw new CallsheetError('invalid_options', `Nothing has run: ${listSome(problems, saidProblems, '; ')}.`)
}

function problemOf(
  decision: Decision,
  asked: ReadonlyMap<string, Approval>,
  others: ReadonlyMap<string, Decision>,
  now = Number.NEGATIVE_INFINITY,
): string | undefined {
  if (!isJsonObject(decision)) return `is ${briefly(decision)}; expected { approval, hash, approve }`
  const { approval: id, hash, approve, call, reason, ...misspelt } = decision
  const approval = asked.get(id)
  if (id === undefined) return 'has no `approval`; expected the id of one'
  if (!approval) return `answers ${briefly(id)}, which this run does not wait for`
  if (hash !== approval.hash) return `has the hash ${briefly(hash)}, and ${briefly(approval.hash)} was shown`
  if (typeof approve !== 'boolean') return `has approve: ${briefly(approve)}; expected true or false`
  if (reason !== undefined && typeof reason !== 'string')
    return `has the reason ${briefly(reason)}; expected a text`
  if (call !== undefined && !isJsonObject(call)) return `has call: ${briefly(call)}; expected a Call, or none`
  // Above all `calls`, as in an Approval: edits there would be ignored, and the Calls that were shown would run.
  const [unknown] = Object.keys(misspelt)
  if (unknown !== undefined)
    return `has ${briefly(unknown)}; expected { approval, hash, approve }, with a \`reason\` or a \`call\` to run instead`
  if (call !== undefined && approval.scope === 'plan')
    return 'edits a plan; refuse it instead, with the reason'
  if (now > (approval.expiresAt ?? Number.POSITIVE_INFINITY))
    return 'comes too late: its Approval has expired'
  const other = others.get(id)
  if (other && !isSameJson(other, decision)) return 'contradicts an earlier one'
  return undefined
}
