import { nextId } from '../../call/next-id.ts'
import { requireMessages } from '../../context/require-messages.ts'
import { CallsheetError } from '../../errors.ts'
import { requireOptionsOf } from '../../problems/option-problems.ts'
import { briefly } from '../../problems/problem.ts'
import type { AgentOptions, AgentResult } from '../loop/agent-options.ts'
import { limitsOf, Meter } from '../loop/meter.ts'
import { requirePinned } from '../search/with-search.ts'
import { agentOptionRules } from './agent-option-rules.ts'
import type { Lineage } from './lineage.ts'
import { runAgent } from './run-agent.ts'
import { RunLog } from './run-log.ts'

/**
 * Requests repeated until the goal is reached (REQ-8): the Calls of each answer run in parallel, except those that wait
 * for what another one writes; what they give is in the context of the next Request, failures as error Messages.
 *
 * @throws LoopError with the run so far: `stalled` when the model gives neither Calls nor an output, `limit_reached`,
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
  // What was spent before the run waited is spent for its delegates as well.
  meter.add({ ...options.resume?.spent })
  const lineage = { runId, meter, depth: 0 }
  const result = options.log
    ? await loggedRun(options, options.log, lineage)
    : await runAgent(options, lineage)
  // The one cast: the output's schema has checked what the caller says that it describes.
  return result as AgentResult<Output>
}

async function loggedRun(
  options: AgentOptions,
  tell: NonNullable<AgentOptions['log']>,
  lineage: Lineage,
): Promise<AgentResult> {
  const log = new RunLog(tell)
  try {
    const result = await runAgent(log.over(options, lineage.runId), lineage)
    log.end(result)
    return result
  } catch (error) {
    log.failed(error)
    throw error
  }
}

function requireOptions(options: AgentOptions): void {
  requireOptionsOf('Agent', options, agentOptionRules, ['model', 'tools'])
  requireMessages(options.context)
  // What is wrong with it would show when its Calls have run.
  requireMessages(options.resume?.context)
  if (options.search) requirePinned(options.tools, options.search)
  requireSameRun(options)
}

/** A key of a step begins with the id of its run: under another one, what ran already would run again. */
function requireSameRun({ runId, resume }: AgentOptions): void {
  if (!resume || runId === undefined || runId === resume.runId) return
  throw new CallsheetError(
    'invalid_options',
    `\`runId\` is ${briefly(runId)}, and the run to go on with is ${briefly(resume.runId)}. Leave \`runId\` out.`,
  )
}
