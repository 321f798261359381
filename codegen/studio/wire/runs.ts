import type { Approval } from '../../../runtime/agent/approvals/approval.ts'
import type { SentRequest } from '../../../runtime/agent/request/sent-request.ts'
import type { Call, Message } from '../../../runtime/context/message.ts'
import type { ErrorData } from '../../../runtime/errors.ts'
import type { Effects } from '../../../runtime/schema/schema.ts'

/** A recorded run in the list. */
export interface RunLine {
  /** Its file, relative to the folder of runs. */
  readonly id: string
  /** `running` also where whatever wrote the file stopped in the middle. */
  readonly status: 'running' | 'succeeded' | 'failed' | 'waiting' | 'unreadable'
  readonly model?: string
  readonly startedAt?: number
  readonly endedAt?: number
  readonly requests: number
  readonly calls: number
  readonly tokens: number
  /** Why it cannot be read. */
  readonly problem?: string
}

/** The runs of the folder, if the page has another version of the list. */
export interface RunsNews {
  readonly version: string
  readonly runs?: readonly RunLine[]
}

/** Something that a run did, as its timeline shows it. */
export interface StepLine {
  readonly index: number
  readonly key: string
  readonly kind: 'request' | 'call' | 'approval'
  /** The Tool of a Call; the model of a Request. */
  readonly name: string
  readonly status: 'running' | 'succeeded' | 'failed' | 'aborted' | 'refused' | 'waiting'
  readonly at: number
  /** Milliseconds; absent while it runs. */
  readonly took?: number
  readonly tokens?: number
  readonly effects?: Effects
  /** The request or its result, in a few words. */
  readonly brief: string
}

/** A run, with the steps that are new or other than they were at `since`. */
export interface RunView extends RunLine {
  readonly version: number
  readonly steps: readonly StepLine[]
  readonly output?: unknown
  readonly error?: ErrorData
  readonly approvals: readonly Approval[]
  /** Approvals that have been decided, by their id. */
  readonly decided: readonly string[]
}

/** All that is known of one step. */
export interface StepView extends StepLine {
  readonly call: Call
  /** Its Outcome, or of a Request its answer. */
  readonly outcome?: unknown
  readonly sent: readonly SentRequest[]
  readonly plan?: PlanView
}

/** The Calls of an answer, and which waits for which. */
export interface PlanView {
  readonly calls: readonly PlannedCallView[]
  /** Why there is no graph, such as Calls that wait for each other. */
  readonly problem?: string
}

export interface PlannedCallView {
  readonly call: Call
  readonly effects?: Effects
  readonly status: StepLine['status'] | 'not run'
  /** The step that ran it. */
  readonly step?: number
  /** Indexes of the Calls that write what it reads. */
  readonly waitsFor: readonly number[]
}

/** The context as a step found it. */
export interface ContextView {
  readonly messages: readonly Message[]
  /** The data that References read, by kind. */
  readonly kinds: Readonly<Record<string, unknown>>
}

/** Two runs side by side: their Calls in order, with those of both runs on one line. */
export interface RunComparison {
  readonly rows: readonly ComparedCall[]
}

export interface ComparedCall {
  readonly left?: { readonly call: Call; readonly status: string; readonly output?: unknown }
  readonly right?: { readonly call: Call; readonly status: string; readonly output?: unknown }
  /** In both runs, with the same result. */
  readonly isSame: boolean
}

/** A Call of a recorded run, run again. */
export interface ReplayedCall {
  readonly key: string
  readonly call: Call
  readonly result: 'same' | 'other' | 'not run'
  readonly was?: unknown
  readonly is?: unknown
  /** Why it was not run. */
  readonly reason?: string
}

/** A run as a test file. */
export interface TestText {
  readonly name: string
  readonly text: string
}

/** Why a run cannot be saved as a test. */
export interface NoTest {
  readonly why: string
}
