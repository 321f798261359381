import type { Approval } from '../../../runtime/agent/approvals/approval.ts'
import type { RequestOutput } from '../../../runtime/agent/loop/request-call.ts'
import type { RunEvent } from '../../../runtime/agent/loop/run-event.ts'
import type { SentRequest } from '../../../runtime/agent/request/sent-request.ts'
import { tokenCount } from '../../../runtime/agent/transport/token-count.ts'
import type { Call, Message } from '../../../runtime/context/message.ts'
import type { ErrorData } from '../../../runtime/errors.ts'
import { isJsonObject, type JsonObject } from '../../../runtime/json/json.ts'
import { briefly } from '../../../runtime/problems/problem.ts'
import type { Effects } from '../../../runtime/schema/schema.ts'
import type { TokenUsage } from '../../../runtime/tools/token-usage.ts'
import type { RunLine, StepLine } from '../wire/runs.ts'

/** A step of a recorded run. */
export interface Step {
  readonly index: number
  readonly key: string
  readonly kind: StepLine['kind']
  readonly at: number
  readonly call: Call
  readonly effects: Effects | undefined
  /** Counts the runs of the file; a resumed run is the same one. */
  readonly run: number
  /** Messages before those of its process: its context begins there. */
  readonly from: number
  /** Messages when it began. */
  readonly before: number
  readonly sent: SentRequest[]
  /** Counts up with each change of the run. */
  version: number
  endedAt?: number
  outcome?: JsonObject
}

type Event<Name extends RunEvent['event']> = Extract<RunEvent, { event: Name }>

/**
 * A run, built from its events, or several, one after the other: a program that runs twice appends to its file, and so does one that resumes
 * a run. Each time the whole context is recorded anew. Files are untrusted: malformed parts are left out.
 */
export class RecordedRun {
  readonly steps: Step[] = []
  readonly messages: Message[] = []
  readonly #byKey = new Map<string, Step>()
  #version = 0
  #run = 0
  /** Number of Messages at the latest start. */
  #from = 0
  #start: Event<'start'> | undefined
  #end: Event<'end'> | undefined
  #tokens = 0

  get version(): number {
    return this.#version
  }

  get model(): string | undefined {
    return this.#start?.model
  }

  /** The schema of the goal. */
  get goal(): unknown {
    return this.#start?.output
  }

  /** How the model searched for Tools. */
  get search(): JsonObject | undefined {
    const search: unknown = this.#start?.search
    return isJsonObject(search) ? search : undefined
  }

  get output(): unknown {
    return this.#end?.output
  }

  get error(): ErrorData | undefined {
    return this.#end?.error
  }

  get approvals(): readonly Approval[] {
    const approvals: unknown = this.#end?.suspended?.approvals
    return Array.isArray(approvals) ? approvals.filter(isApproval) : []
  }

  get line(): Omit<RunLine, 'id'> {
    const { model } = this
    const startedAt = this.#start?.at || this.steps[0]?.at
    const endedAt = this.#end?.at || undefined
    return {
      status: this.#status,
      ...(model !== undefined && { model }),
      ...(startedAt && { startedAt }),
      ...(endedAt !== undefined && { endedAt }),
      requests: this.steps.filter(({ kind }) => kind === 'request').length,
      calls: this.steps.filter(({ kind }) => kind === 'call').length,
      tokens: this.#tokens,
    }
  }

  /** Returns the step in which the Call with this key ran last: one that waited for an approval is run again. */
  callOf(key: string): Step | undefined {
    const step = this.#byKey.get(key)
    return step?.kind === 'call' ? step : undefined
  }

  /** The steps of the file's last run; of those that were repeated after an approval, only the last. */
  get lastRun(): readonly Step[] {
    const steps = this.steps.filter(({ run }) => run === this.#run)
    return [...new Map(steps.map((step) => [step.key, step])).values()]
  }

  /** Returns the context that a step found. */
  contextOf({ from, before }: Step): readonly Message[] {
    return this.messages.slice(from, before)
  }

  /** Returns the context after a step: References in a plan read writes of its other Calls. */
  contextAfter({ index, from }: Step): readonly Message[] {
    const next = this.steps.find((step) => step.kind === 'request' && step.index > index)
    return this.messages.slice(from, next?.from === from ? next.before : next?.from)
  }

  get #status(): RunLine['status'] {
    if (isJsonObject(this.#end?.suspended)) return 'waiting'
    if (!this.#end) return 'running'
    return this.#end.error ? 'failed' : 'succeeded'
  }

  /** Adds an event. Malformed events are ignored. */
  add(given: unknown): void {
    if (!isJsonObject(given)) return
    this.#version++
    // The only cast: code that reads an important part checks that part.
    const event = given as unknown as RunEvent
    switch (event.event) {
      case 'start':
        if (this.#start && this.#start.runId !== event.runId) this.#run++
        this.#start = event
        this.#end = undefined
        this.#from = this.messages.length
        return
      case 'dispatch':
        this.#beginStep(event)
        return
      case 'sent':
        this.#addSent(event)
        return
      case 'settle':
        this.#endStep(event)
        return
      case 'end':
        this.#end = event
        this.#append(event.messages)
    }
  }

  #beginStep({ key, kind, at, call, effects, messages }: Event<'dispatch'>): void {
    this.#append(messages)
    if (!isJsonObject(call) || typeof key !== 'string') return
    const { length: index } = this.steps
    const step: Step = {
      index,
      key,
      kind,
      at: asTime(at),
      call: call as Call,
      effects,
      run: this.#run,
      from: this.#from,
      before: this.messages.length,
      sent: [],
      version: this.#version,
    }
    this.steps.push(step)
    this.#byKey.set(key, step)
  }

  /** An attempt belongs to the newest step that runs: a Request, or a Call that a model answers. */
  #addSent(sent: Event<'sent'>): void {
    const open = this.steps.findLast(({ endedAt }) => endedAt === undefined)
    if (!open) return
    open.sent.push(sent)
    open.version = this.#version
  }

  #endStep({ key, at, outcome }: Event<'settle'>): void {
    const step = this.#byKey.get(key)
    if (!step || !isJsonObject(outcome)) return
    step.endedAt = asTime(at)
    step.outcome = outcome
    step.version = this.#version
    const { usage } = (answerOf(step) ?? {}) as Partial<RequestOutput>
    if (usage) this.#tokens += tokensOf(usage)
  }

  #append(messages: readonly Message[] | undefined): void {
    if (!Array.isArray(messages)) return
    for (const message of messages)
      if (isJsonObject(message)) this.messages.push(message as unknown as Message)
  }
}

/** Returns the tokens of an answer, as far as recorded. */
export function tokensOf(usage: Partial<TokenUsage>): number {
  return tokenCount(usage.in) + tokenCount(usage.out)
}

/** Whether a recorded value is an Approval that can be shown and decided. */
function isApproval(value: unknown): value is Approval {
  if (!isJsonObject(value)) return false
  const { id, hash, calls, effects, expiresAt } = value
  return (
    typeof id === 'string' &&
    typeof hash === 'string' &&
    Array.isArray(calls) &&
    calls.every(isJsonObject) &&
    Array.isArray(effects) &&
    effects.every((each) => each === null || typeof each === 'string') &&
    (expiresAt === undefined || typeof expiresAt === 'number')
  )
}

function asTime(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

/** Converts any recorded value to text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : briefly(value)
}

/** Returns the output of a Request. */
export function answerOf(step: Step): Partial<RequestOutput> | undefined {
  const output = step.kind === 'request' ? step.outcome?.output : undefined
  return isJsonObject(output) ? (output as Partial<RequestOutput>) : undefined
}

/** Returns the Calls that the model chose in a Request. */
export function callsOf(step: Step): readonly Call[] {
  const { solution } = answerOf(step) ?? {}
  const calls: unknown = isJsonObject(solution) ? solution.calls : undefined
  return Array.isArray(calls) ? calls.filter((call): call is Call => isJsonObject(call)) : []
}

/** Returns the Calls of an answer whose Tools were not offered: they were not dispatched. */
export function unknownCallsOf(step: Step): readonly Call[] {
  const rejected: unknown = answerOf(step)?.rejected
  if (!Array.isArray(rejected)) return []
  const isUnknown = (each: unknown): each is { readonly call: Call } =>
    isJsonObject(each) &&
    isJsonObject(each.call) &&
    isJsonObject(each.error) &&
    each.error.code === 'unknown_tool'
  return rejected.filter(isUnknown).map(({ call }) => call)
}
