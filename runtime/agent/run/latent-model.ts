import { startTimer } from '../../call/controls/start-timer.ts'
import type { LatentModel, LatentRequest } from '../../call/latent.ts'
import { type OptionRules, requireOptionsOf } from '../../problems/option-problems.ts'
import { findIdea } from '../ideas/idea-folder.ts'
import type { AgentTools, DelegateOptions } from '../loop/agent-options.ts'
import { type AgentLimits, limitsOf, Meter } from '../loop/meter.ts'
import { timeLimitError } from '../loop/request-call.ts'
import { delegateOptionRules, limitRules, registryTool } from './agent-option-rules.ts'
import { delegateModel } from './delegates.ts'
import { callOptions } from './inherited-options.ts'
import { outerRunOf } from './nested-latent.ts'
import { runAgent } from './run-agent.ts'

/** Options of {@link latentModel}. Limits apply to one Call with all its delegates. */
export interface LatentModelOptions extends DelegateOptions, AgentLimits {
  /** The registry's `Tool`, so that delegates can call the Tools that their own context names. */
  readonly tools?: AgentTools | undefined
}

const latentModelRules: OptionRules<LatentModelOptions> = {
  ...delegateOptionRules,
  ...limitRules,
  tools: registryTool,
}

/**
 * Creates a model that answers latent Calls without an `_output`, and runs delegates (CALL-2), by one Request each. A
 * latent Call sees the whole context, or the part that its `_scopes` select; a delegate sees its own context, what
 * `_scopes` let through, and the Call's parameters (REQ-12).
 *
 * Calls fail with the codes of a Request, and with `limit_reached` if delegates nest too deep.
 *
 * @example
 * const { Tool } = createRegistry({ tools, model: latentModel({ model: 'gpt-5-mini' }) })
 * await Tool({ _tool: 'sentiment', text: 'What a day!' }) // { mood: 'positive', confidence: 0.9 }
 */
export function latentModel(options: LatentModelOptions): LatentModel {
  requireOptionsOf('latentModel', options, latentModelRules, ['model'])
  const { tools, maxTime, ideas = {} } = options
  const answer = (request: LatentRequest): Promise<unknown> => {
    const outer = outerRunOf(request)
    // Limits apply to one Call with all its delegates.
    const meter = new Meter(tools ? limitsOf(options) : options, outer?.lineage.meter)
    const lineage = { runId: request.id, depth: outer?.lineage.depth ?? 0, meter }
    const model = delegateModel(
      { ...options, ...(outer && callOptions(outer.options, options)) },
      lineage,
      runAgent,
      tools,
    )
    return model.answer(outer ? { ...request, under: undefined } : request)
  }
  return {
    answer: (request) => withinTime(maxTime, request, answer),
    idea: (name) => findIdea(name, ideas),
  }
}

/** Answers one Call, with all its delegates, within their common time limit. */
async function withinTime(
  maxTime: number | undefined,
  request: LatentRequest,
  answer: (request: LatentRequest) => Promise<unknown>,
): Promise<unknown> {
  if (maxTime === undefined) return answer(request)
  const late = new AbortController()
  const timer = startTimer(maxTime, () => late.abort(timeLimitError()))
  try {
    return await answer({ ...request, signal: AbortSignal.any([request.signal, late.signal]) })
  } catch (thrown) {
    throw late.signal.aborted && !request.signal.aborted ? late.signal.reason : thrown
  } finally {
    clearTimeout(timer)
  }
}
