import { nextId } from '../../call/next-id.ts'
import { requireMessages } from '../../context/require-messages.ts'
import { CallsheetError } from '../../errors.ts'
import { readsOf } from '../../plan/reads.ts'
import { isString } from '../../problems/field-rule.ts'
import { briefly } from '../../problems/problem.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import type { AgentOptions, AgentResult } from '../loop/agent-options.ts'
import { limitsOf, Meter } from '../loop/meter.ts'
import { requirePinned } from '../search/with-search.ts'
import { requireAgentOptions } from './agent-option-rules.ts'
import type { Lineage } from './lineage.ts'
import { runAgent } from './run-agent.ts'
import { RunLog } from './run-log.ts'

/**
 * Repeats Requests until the model gives an output (REQ-8). The Calls of each answer run in parallel, except those that read what
 * another one writes. Their results are in the context of the next Request, failures as error Messages.
 *
 * @throws LoopError with the run so far: `stalled` if the model gives neither Calls nor an output, `limit_reached`,
 * `plan_cycle`, or the code of the Request that failed, such as `model_refused` or `interrupted`.
 *
 * @example
 * ```ts
 * import { Agent } from 'callsheet/agent'
 * import { Tool } from '../generated/index.js'
 * import '../activities/index.js'
 *
 * const { output } = await Agent<string>({
 *   model: 'gpt-5-mini',
 *   tools: Tool,
 *   context: [{ type: 'text', text: 'Which file tells most about glaciers?' }],
 *   output: { type: 'string' },
 *   confirm: (call) => call._tool !== 'appendNote',
 * })
 * ```
 */
export async function Agent<Output = unknown>(options: AgentOptions): Promise<AgentResult<Output>> {
  requireOptions(options)
  const { runId = options.resume?.runId ?? nextId() } = options
  const meter = new Meter(limitsOf(options))
  // What the run spent before it waited counts for its delegates too.
  meter.add({ ...options.resume?.spent })
  const lineage = { runId, meter, depth: 0 }
  const result = options.log
    ? await loggedRun(options, options.log, lineage)
    : await runAgent(options, lineage)
  // The one cast: the output is valid under its schema, and the caller declares its type.
  return result as AgentResult<Output>
}

async function loggedRun(
  options: AgentOptions,
  tell: NonNullable<AgentOptions['log']>,
  lineage: Lineage,
): Promise<AgentResult> {
  const log = new RunLog(tell, lineage.runId)
  try {
    const result = await runAgent(log.over(options), lineage)
    log.end(result)
    return result
  } catch (error) {
    log.failed(error)
    throw error
  }
}

function requireOptions(options: AgentOptions): void {
  requireAgentOptions('Agent', options)
  requireMessages(options.context)
  // Otherwise a malformed Message in it would only fail after its Calls have run.
  requireMessages(options.resume?.context)
  if (options.search) requirePinned(options.tools, options.search)
  requireSameRun(options)
  requireOwnApprovals(options)
}

/** Requires the same run id for `resume`: keys of steps begin with it, and under another id finished steps would run again. */
function requireSameRun({ runId, resume }: AgentOptions): void {
  if (!resume || runId === undefined || runId === resume.runId) return
  throw new CallsheetError(
    'invalid_options',
    `\`runId\` is ${briefly(runId)}, but \`resume\` is the run ${briefly(resume.runId)}. Leave \`runId\` out.`,
  )
}

/** Requires that something waits for each Approval of `resume`: a Call whose Approval has another id would wait for none, and run. */
function requireOwnApprovals({ resume }: AgentOptions): void {
  if (!resume) return
  const prefix = `${resume.runId}:`
  const waiting = new Set([`${resume.turn}.plan`, ...resume.waiting.map(({ id }) => id)])
  const isOwn = ({ id }: { readonly id: unknown }): boolean =>
    isString(id) && id.startsWith(prefix) && waiting.has(id.slice(prefix.length))
  const other = resume.approvals.find((approval) => !isOwn(approval))
  if (other) throw notAsStored(resume, `where nothing waits for the Approval ${briefly(other.id)}`)
  requireNeededApprovals(resume)
}

/** Requires the Approval of each waiting Call that can have waited for nothing else: without it, it would run unasked. */
function requireNeededApprovals(resume: SuspendedRun): void {
  const ids = new Set(resume.approvals.map(({ id }) => id))
  if (ids.has(`${resume.runId}:${resume.turn}.plan`)) return
  const unasked = resume.waiting.find(
    ({ id, call, isApproved, waitsFor = [], misses = [] }) =>
      !isApproved &&
      waitsFor.length + misses.length === 0 &&
      !ids.has(`${resume.runId}:${id}`) &&
      readsOf(call, () => true).length === 0,
  )
  if (unasked) throw notAsStored(resume, `without the Approval of the waiting Call ${briefly(unasked.id)}`)
}

function notAsStored({ runId }: SuspendedRun, why: string): CallsheetError {
  return new CallsheetError(
    'invalid_options',
    `\`resume\` is the run ${briefly(runId)}, ${why}. Pass it as it was stored.`,
  )
}
