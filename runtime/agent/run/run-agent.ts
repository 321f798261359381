import { concurrencyOf, referencesOf, timeoutOf } from '../../call/registry-state.ts'
import { interpretCheck } from '../../check-tree/interpret.ts'
import { appendAll } from '../../context/append-all.ts'
import type { Call } from '../../context/message.ts'
import { messagesOf } from '../../context/messages-of.ts'
import { planReading } from '../../plan/plan-reading.ts'
import { plainGoal } from '../../schema/plain-goal.ts'
import type { Effects } from '../../schema/schema.ts'
import type { SuspendedRun } from '../approvals/approval.ts'
import { Approver } from '../approvals/approver.ts'
import { checkDecisions } from '../approvals/check-decisions.ts'
import { needsApproval, toConfirmRules, unaskedEffects } from '../approvals/confirm-options.ts'
import type { AgentOptions, AgentResult } from '../loop/agent-options.ts'
import { deadlineAfter, inProcessExecutor, type Perform, startExecutor } from '../loop/executor.ts'
import { runLoop } from '../loop/loop.ts'
import type { LoopSettings } from '../loop/loop-settings.ts'
import { limitsOf, Meter } from '../loop/meter.ts'
import { searchingTools } from '../search/with-search.ts'
import { delegateModel } from './delegates.ts'
import type { Lineage } from './lineage.ts'
import { makeIsLeftOut, toolsForPrincipal } from './narrowed-tools.ts'
import { nestedLatent } from './nested-latent.ts'
import { performer } from './performer.ts'

/** Runs the loop; a delegate with its own Tools runs a nested one. */
export async function runAgent(given: AgentOptions, lineage: Lineage): Promise<AgentResult> {
  const whole = completeOptions(given, lineage)
  const options = applySearch(whole)
  const { context, executor: factory = inProcessExecutor, tools, maxTime, confirm } = options
  const resume = options.resume && withFittingOutput(options.resume, options.output)
  const { runId, depth } = lineage
  const effectsOf = (call: Call): Effects | undefined => tools.get(call._tool)?.effects
  const rules = confirm && toConfirmRules(confirm)
  const executor = startExecutor(factory, performerOf(whole, options, lineage))
  return runLoop(
    {
      runId,
      messages: resume?.context ?? messagesOf(context),
      onAppend: (added) => appendAll(context, added),
      // The loop counts separately, from the reported usage, so that a replay reaches the same result.
      meter: new Meter(depth === 0 ? limitsOf(options) : {}),
      deadline: deadlineAfter(maxTime, executor),
      isLazy: options.plan === 'lazy',
      runsContextPlan: depth === 0,
      resume,
      isLeftOut: makeIsLeftOut(whole, resume?.context),
      concurrency: options.concurrency ?? Number.POSITIVE_INFINITY,
      readingOf: readingBy(options),
      effectsOf,
      needsPlanApproval: (call) => rules?.askPlan !== undefined && needsApproval(rules, effectsOf(call)),
      needsCallApproval: (call) => rules?.ask !== undefined && needsApproval(rules, effectsOf(call)),
      unasked: rules && unaskedEffects(rules),
      redact: options.redact,
      onTurn: options.onTurn,
    },
    executor,
  )
}

/** Drops an output that the goal refuses, which may be another one than when the run was stored: the model is asked for it again. */
function withFittingOutput(resume: SuspendedRun, goal: AgentOptions['output']): SuspendedRun {
  const { output = null } = resume
  if (output === null || goal === undefined || interpretCheck(plainGoal(goal))(output)) return resume
  return { ...resume, output: null }
}

/** Creates the function that performs the steps of a run whose loop runs in an engine, or in its sandbox. */
export function agentPerformer(given: AgentOptions, lineage: Lineage): Perform {
  const whole = completeOptions(given, lineage)
  return performerOf(whole, applySearch(whole), lineage)
}

function completeOptions(given: AgentOptions, { runId }: Lineage): AgentOptions {
  const tools = toolsForPrincipal(given.run?.principal, given.tools)
  // The plan too needs to know in which parameters text is not a Reference, and the remaining time must not replace a limit.
  const references = referencesOf(given.tools, given.run)
  const timeout = timeoutOf(given.tools, given.run)
  const concurrency = concurrencyOf(given.tools, given.concurrency)
  // A run uses one variant of each Activity, delegates included: they inherit the key (ACT-5).
  return { ...given, tools, concurrency, run: { variantKey: runId, ...given.run, references, timeout } }
}

function performerOf(whole: AgentOptions, options: AgentOptions, lineage: Lineage): Perform {
  const { runId, meter, depth } = lineage
  const { latent } = options
  return performer({
    options,
    meter,
    latent: (part) => {
      const inside = { runId, meter: part, depth }
      if (latent) return nestedLatent(latent, whole, inside)
      return delegateModel(whole, inside, runAgent, whole.tools)
    },
    readingOf: readingBy(options),
    approver: approverOf(whole, lineage),
  })
}

function readingBy({ tools, run }: AgentOptions): LoopSettings['readingOf'] {
  return (context) => planReading((name) => tools.get(name), context, run?.references)
}

/** Wraps the Tools with the search. Delegates have other Tools, and so their own search. */
function applySearch(options: AgentOptions): AgentOptions {
  if (!options.search) return options
  const tools = searchingTools(options.tools, options)
  return { ...options, tools, search: undefined, only: undefined, without: undefined }
}

function approverOf(options: AgentOptions, { runId, depth }: Lineage): Approver | undefined {
  const { confirm, resume, claim, tools, contract } = options
  // Also without `resume`: if it is forgotten, a new run would start instead of the suspended one.
  const decisions = checkDecisions(options.decisions ?? [], resume)
  if (!confirm && !resume) return undefined
  return new Approver({
    rules: confirm && toConfirmRules(confirm),
    runId,
    resume,
    decisions,
    claim,
    contract,
    isInContract: (name) => tools.get(name) !== undefined,
    canWait: depth === 0,
  })
}
