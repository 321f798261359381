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

type Event<Name extends RunEvent['event']> = Extract<RunEvent, { event: Name }>

/** What one process recorded of a run. The next one, which resumes it, records the whole context anew. */
interface Recording {
  /** Counts the runs of the file; a resumed run is the same one. */
  readonly run: number
  readonly messages: Message[]
  readonly start?: Event<'start'>
  end?: Event<'end'>
}

/** A step of a recorded run. */
export interface Step {
  readonly index: number
  readonly key: string
  readonly kind: StepLine['kind']
  readonly at: number
  readonly call: Call
  readonly effects: Effects | undefined
  readonly recording: Recording
  /** Messages of its recording when it began. */
  readonly before: number
  readonly sent: SentRequest[]
  /** Counts up with each change of the run. */
  version: number
  endedAt?: number
  outcome?: JsonObject
}

/**
 * A run, built from its events, or several: a program that runs twice appends to its file, and so does one that resumes a run, or one whose
 * runs go on at the same time. Files are untrusted: malformed parts are left out.
 */
export class RecordedRun {
  readonly steps: Step[] = []
  readonly #byKey = new Map<string, Step>()
  /** The latest recording of each run, by its id. */
  readonly #byRun = new Map<string, Recording>()
  /** The recording that began last. */
  #latest: Recording = { run: 0, messages: [] }
  /** The Messages that were asked for last. */
  #last: { readonly recording?: Recording; readonly messages: readonly Message[] } = { messages: [] }
  #version = 0
  #tokens = 0

  get version(): number {
    return this.#version
  }

  get model(): string | undefined {
    return this.#latest.start?.model
  }

  /** The schema of the goal. */
  get goal(): unknown {
    return this.#latest.start?.output
  }

  /** How the model searched for Tools. */
  get search(): JsonObject | undefined {
    const search: unknown = this.#latest.start?.search
    return isJsonObject(search) ? search : undefined
  }

  get output(): unknown {
    return this.#latest.end?.output
  }

  get error(): ErrorData | undefined {
    return this.#latest.end?.error
  }

  get approvals(): readonly Approval[] {
    const approvals: unknown = this.#latest.end?.suspended?.approvals
    return Array.isArray(approvals) ? approvals.filter(isApproval) : []
  }

  get line(): Omit<RunLine, 'id'> {
    const { model } = this
    const startedAt = this.#latest.start?.at || this.steps[0]?.at
    const endedAt = this.#latest.end?.at || undefined
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
    const steps = this.steps.filter(({ recording }) => recording.run === this.#latest.run)
    return [...new Map(steps.map((step) => [step.key, step])).values()]
  }

  /** Returns the context that a step found. */
  contextOf({ recording, before }: Step): readonly Message[] {
    return this.#first(recording, before)
  }

  /** Returns the context after a step: References in a plan read writes of its other Calls. */
  contextAfter({ index, recording }: Step): readonly Message[] {
    let next = index + 1
    const isNext = ({ kind, recording: its }: Step): boolean => kind === 'request' && its === recording
    while (next < this.steps.length && !isNext(this.steps[next] as Step)) next++
    return this.#first(recording, this.steps[next]?.before ?? recording.messages.length)
  }

  /** Returns the first Messages of a recording: thousands of Calls of one turn share them. */
  #first(recording: Recording, count: number): readonly Message[] {
    if (this.#last.recording !== recording || this.#last.messages.length !== count) {
      this.#last = { recording, messages: recording.messages.slice(0, count) }
    }
    return this.#last.messages
  }

  get #status(): RunLine['status'] {
    if (isJsonObject(this.#latest.end?.suspended)) return 'waiting'
    if (!this.#latest.end) return 'running'
    return this.#latest.end.error ? 'failed' : 'succeeded'
  }

  /** Adds an event. Malformed events are ignored. */
  add(given: unknown): void {
    if (!isJsonObject(given)) return
    this.#version++
    // The only cast: code that reads an important part checks that part.
    const event = given as unknown as RunEvent
    switch (event.event) {
      case 'start':
        this.#begin(event)
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
        this.#finish(event)
    }
  }

  #begin(start: Event<'start'>): void {
    const run = this.#byRun.get(start.runId)?.run ?? this.#byRun.size
    this.#latest = { run, messages: [], start }
    this.#byRun.set(start.runId, this.#latest)
  }

  #finish(end: Event<'end'>): void {
    const recording = this.#recordingOf(end.runId)
    recording.end = end
    append(recording, end.messages)
  }

  /** Files of earlier versions do not say whose these events are: then they belong to the run that began last. */
  #recordingOf(runId: string | undefined): Recording {
    return (runId !== undefined && this.#byRun.get(runId)) || this.#latest
  }

  #beginStep({ key, kind, at, call, effects, messages }: Event<'dispatch'>): void {
    if (typeof key !== 'string') return
    const recording = this.#recordingOf(key.slice(0, key.lastIndexOf(':')))
    append(recording, messages)
    if (!isJsonObject(call)) return
    const { length: index } = this.steps
    const step: Step = {
      index,
      key,
      kind,
      at: asTime(at),
      call: call as Call,
      effects,
      recording,
      before: recording.messages.length,
      sent: [],
      version: this.#version,
    }
    this.steps.push(step)
    this.#byKey.set(key, step)
  }

  /** An attempt belongs to the newest step that runs: a Request, or a Call that a model answers. */
  #addSent(sent: Event<'sent'>): void {
    const recording = sent.runId === undefined ? undefined : this.#recordingOf(sent.runId)
    const open = this.steps.findLast(
      (step) => step.endedAt === undefined && (recording === undefined || step.recording === recording),
    )
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
}

function append({ messages }: Recording, added: readonly Message[] | undefined): void {
  if (!Array.isArray(added)) return
  for (const message of added) if (isJsonObject(message)) messages.push(message as unknown as Message)
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
