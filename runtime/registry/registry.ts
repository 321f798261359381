import { acceptCall } from '../call/accept/accept-call.ts'
import type { AcceptedCall } from '../call/accept/accepted-call.ts'
import { isRecorded } from '../call/accept/is-recorded.ts'
import { keepCall } from '../call/accept/keep-call.ts'
import { asError } from '../call/call-errors.ts'
import { CallRun } from '../call/call-run.ts'
import { requireGroupOptions, requireOptions } from '../call/controls/require-options.ts'
import { Emitter } from '../call/events.ts'
import type { Outcome } from '../call/outcome.ts'
import { ownOutcome } from '../call/own-outcome.ts'
import { keepState, type RegistryState } from '../call/registry-state.ts'
import type { RegistrySurface } from '../call/registry-surface.ts'
import { failureOf } from '../call/run/branch-error.ts'
import { runAccepted } from '../call/run/run-call.ts'
import type { Finish } from '../call/run/running-call.ts'
import type { GroupOptions, RunOptions } from '../call/run-options.ts'
import type { CompositionOptions } from '../compose/composition.ts'
import { appendAll } from '../context/append-all.ts'
import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import type { RankTools, SearchIndex } from '../find/find-tools.ts'
import { lazily } from '../lazily.ts'
import type { PlanResult, RunnablePlan } from '../plan/run-plan.ts'
import { briefly } from '../problems/problem.ts'
import { warnOnce } from '../problems/warn-once.ts'
import type { SharedMeta } from '../schema/shared-meta.ts'
import type { AnyActivity } from '../tools/activity.ts'
import { ActivityRegistry } from '../tools/activity-registry.ts'
import type { IdeaData } from '../tools/idea-data.ts'
import { ToolRegistry } from '../tools/tool-registry.ts'
import type { ActivityApi, ToolApi } from './registry-api.ts'

/** Defaults of every run of a registry, and what is implemented elsewhere. */
export interface RegistryDefaults extends GroupOptions {
  /** Names of Activities that are implemented elsewhere (ACT-3a). */
  readonly declared?: Iterable<string>
  /** Ranks Tools for `Tool.find` in a way of your own, by embeddings for example (FIND-1). */
  readonly rank?: RankTools
  /** The Ideas of generated wiring, as JSON text by name (REQ-11). */
  readonly ideaTexts?: Readonly<Record<string, string>>
  /** Loads the generated search index, with the first question. */
  readonly search?: () => Promise<SearchIndex>
  /** How the Tools are composed, unless a Request says otherwise (REQ-14). */
  readonly compose?: CompositionOptions
}

/** Options of `createRegistry`: Tools to begin with, and defaults for every run. */
export interface RegistryOptions extends RegistryDefaults {
  /** Schemas by name: what `generated/` exports as `tools`, or definitions as they stand. */
  readonly tools?: Readonly<Record<string, object>> | undefined
  /** Meta-fields that many of these Tools share (TOOL-10), as in the configuration; a Tool's own declaration counts over them. */
  readonly meta?: SharedMeta | undefined
  /** Ideas that a Call's `_delegate` may name (REQ-12). */
  readonly ideas?: Readonly<Record<string, IdeaData>> | undefined
}

/** One set of Tools and Activities. */
export interface Registry<Tool = ToolApi, Activity = ActivityApi> {
  readonly Tool: Tool
  readonly Activity: Activity
}

/**
 * Makes what a registry knows.
 *
 * @throws CallError `invalid_options`.
 */
export function stateOf(
  surface: (state: RegistryState) => RegistrySurface,
  { declared = [], compose, ideaTexts = {}, rank, search, ...defaults }: RegistryDefaults,
): RegistryState {
  requireOptions(defaults)
  let made: RegistrySurface | undefined
  const events = new Emitter()
  const state: RegistryState = {
    tools: new ToolRegistry(),
    activities: new ActivityRegistry((activity, variant) => tellReplaced(events, activity, variant)),
    events,
    ideas: new Map(Object.entries(ideaTexts).map(([name, text]) => [name, JSON.parse(text) as IdeaData])),
    toldLatent: new Set(),
    defaults,
    finding: { ...(rank && { rank }), ...(search && { search }) },
    compose,
    get surface() {
      made ??= surface(state)
      return made
    },
  }
  state.activities.declare(declared)
  return state
}

/** The last registration counts, which by the order of imports is nobody's decision: so it is told. */
function tellReplaced(events: Emitter, activity: string, variant: string): void {
  if (events.has('activity:replaced')) {
    events.emit('activity:replaced', { activity, variant })
    return
  }
  const what =
    variant === 'default' ? `Activity "${activity}"` : `Variant "${variant}" of Activity "${activity}"`
  warnOnce(
    'CALLSHEET_REPLACED',
    `${activity} ${variant}`,
    `${what} was registered twice, and the later one runs. If you mean that, pass { replace: true }.`,
  )
}

/** Makes the two views of what a registry knows. */
export function apisOf<Tool, Activity>(state: RegistryState): Registry<Tool, Activity> {
  // The one cast of the wiring: the generated interfaces say statically what this does at run time.
  return { Tool: toolApi(state), Activity: activityApi(state) } as Registry<unknown, unknown> as Registry<
    Tool,
    Activity
  >
}

function toolApi(state: RegistryState): ToolApi {
  const { tools, events } = state
  const withDefaults = (options: RunOptions | GroupOptions | undefined): GroupOptions & RunOptions => {
    if (options === undefined) return state.defaults
    requireOptions(options)
    const all: Record<string, unknown> = { ...state.defaults }
    // An option that is undefined counts as left out: the default stays.
    for (const name of Object.keys(options)) {
      const value: unknown = options[name as keyof typeof options]
      if (value !== undefined) all[name] = value
    }
    return all
  }

  // Not async, since each promise costs a plain Call a tenth of its time; it rejects all the same.
  function start<Result>(
    call: Call,
    given: RunOptions | undefined,
    records: boolean,
    finish: Finish<Result>,
  ): Promise<Result> {
    try {
      const options = withDefaults(given)
      const accepted = acceptCall(new CallRun(state, options, records || isRecorded(state, options)), call)
      return accepted instanceof Promise ? runLater(accepted, finish) : runAccepted(accepted, finish)
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }

  const run = (call: Call, options?: RunOptions): Promise<Outcome> => start(call, options, true, tellOutcome)
  const call = (call: Call, options?: RunOptions): Promise<unknown> =>
    start(call, options, false, outputOrThrow)

  function grouped(strategy: Strategy) {
    return async (calls: Iterable<Call>, options?: GroupOptions): Promise<unknown> => {
      const given = listOf(strategy, calls)
      requireGroupOptions(options)
      const all = withDefaults(options)
      return runGroup(strategy, state, given, all)
    }
  }

  async function plan(given: RunnablePlan, options?: GroupOptions): Promise<PlanResult> {
    requireGroupOptions(options)
    const all = withDefaults(options)
    // Before it waits: what is done to the list meanwhile changes nothing.
    const calls = isList(given) ? given.map(keepCall) : given
    const { runPlan } = await planning()
    const result = await runPlan(state, calls, all, (outcome) => tellEnd(state, outcome))
    return { ...result, outcomes: result.outcomes.map((outcome) => outcome && appendOutcome(outcome, all)) }
  }

  const api = Object.assign(call, {
    run,
    all: grouped('all'),
    any: grouped('any'),
    race: grouped('race'),
    plan,
    ...state.surface,
    unregister: tools.unregister.bind(tools),
    get: (name: string) => tools.get(name)?.schema,
    list: () => Array.from(tools.entries, (entry) => entry.schema),
    on: events.on.bind(events),
  })
  keepState(api, state)
  return Object.defineProperty(api, 'names', { get: () => tools.names }) as unknown as ToolApi
}

/** Runs a Call whose Tool's checks are loaded first, or whose hook is asked. */
async function runLater<Result>(accepted: Promise<AcceptedCall>, finish: Finish<Result>): Promise<Result> {
  return runAccepted(await accepted, finish)
}

/** Appends what a Call adds; a context that refuses it makes the Call a failed one. */
function appendOutcome(outcome: Outcome, { context }: RunOptions): Outcome {
  if (outcome.appended.length === 0) return outcome
  try {
    appendAll(context, outcome.appended)
    return outcome
  } catch (thrown) {
    const error = asError(thrown, 'The context refused what the Call adds')
    return { ...outcome, status: 'failed', error, appended: [] }
  }
}

/** Appends what a Call adds, and tells those who listen of its Outcome, where that was recorded. */
function tellOutcome(ended: Outcome, { state, options }: CallRun): Outcome {
  const outcome = appendOutcome(ended, options)
  if (outcome.id !== '') tellEnd(state, outcome)
  return outcome
}

function tellEnd({ events }: RegistryState, outcome: Outcome): void {
  if (events.has('call:end')) events.emit('call:end', ownOutcome(outcome))
}

/** Appends and tells as well. @throws What kept the Call from giving an output. */
function outputOrThrow(ended: Outcome, run: CallRun): unknown {
  const outcome = tellOutcome(ended, run)
  const failure = failureOf(outcome)
  if (failure) throw failure
  return outcome.output
}

/** Most processes run their Calls one by one, or leave groups to a model's loop. */
const grouping = lazily(() => import('../call/groups/groups.ts'))

/** Where it throws when it is looked at, whoever reads the plan says so. */
function isList(given: RunnablePlan): given is readonly Call[] {
  try {
    return Array.isArray(given)
  } catch {
    return false
  }
}

/** Runs a group; where what runs it has to be loaded first, the Calls are kept as they are now. */
async function runGroup(
  strategy: Strategy,
  state: RegistryState,
  calls: readonly Call[],
  options: GroupOptions,
): Promise<unknown> {
  const groups = grouping()
  if (!(groups instanceof Promise)) return groups.strategies[strategy](state, calls, options)
  const kept = calls.map(keepCall)
  return (await groups).strategies[strategy](state, kept, options)
}

/** Most processes leave plans to a model's loop. */
const planning = lazily(() => import('../plan/run-plan.ts'))

type Strategy = 'all' | 'any' | 'race'

/** The Calls in a list without holes, so that every place of it ends in an Outcome. */
function listOf(strategy: Strategy, calls: Iterable<Call> | undefined): Call[] {
  try {
    if (typeof calls === 'object' && calls !== null && Symbol.iterator in calls) return Array.from(calls)
  } catch (cause) {
    throw new CallError(
      'invalid_call',
      `Tool.${strategy} takes a list of Calls, and what it got cannot be read.`,
      {
        cause,
      },
    )
  }
  throw new CallError('invalid_call', `Tool.${strategy} takes a list of Calls, got ${briefly(calls)}.`)
}

function activityApi(state: RegistryState): ActivityApi {
  const { activities } = state
  return {
    register: activities.register.bind(activities) as ActivityApi['register'],
    unregister: activities.unregister.bind(activities),
    get: (name: string, variant?: string): AnyActivity | undefined => activities.get(name, variant),
    declare: (...names: string[]) => activities.declare(names),
    get names() {
      return activities.names
    },
  }
}
