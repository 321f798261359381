import { isDataMessage, type Message, messageKind } from '../../../runtime/context/message.ts'
import { readState } from '../../../runtime/context/state.ts'
import { isCallsheetError } from '../../../runtime/errors.ts'
import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import { planGraph } from '../../../runtime/plan/plan-graph.ts'
import { planReading } from '../../../runtime/plan/plan-reading.ts'
import type { BenchTool } from '../bench/workbench.ts'
import type { ContextView, PlannedCallView, PlanView, StepLine, StepView } from '../wire/runs.ts'
import { answerOf, asText, callsOf, type RecordedRun, type Step, tokensOf } from './recorded-run.ts'

type Tools = ReadonlyMap<string, BenchTool>

/** A step as the timeline shows it. */
export function stepLine(step: Step, { model }: RecordedRun): StepLine {
  const { index, key, kind, at, endedAt, effects, call } = step
  const { usage } = answerOf(step) ?? {}
  return {
    index,
    key,
    kind,
    at,
    name: kind === 'request' ? (model ?? 'model') : kind === 'approval' ? 'plan' : asText(call._tool),
    status: statusOf(step),
    brief: briefOf(step),
    ...(endedAt !== undefined && { took: Math.max(0, endedAt - at) }),
    ...(usage && { tokens: tokensOf(usage) }),
    ...(effects && { effects }),
  }
}

/** All that is known of a step. */
export function stepView(step: Step, record: RecordedRun, tools: Tools): StepView {
  const { call, outcome, sent } = step
  const plan = step.kind === 'request' ? planView(step, record, tools) : undefined
  return {
    ...stepLine(step, record),
    call,
    ...(outcome && { outcome: step.kind === 'request' ? (outcome.output ?? outcome.error) : outcome }),
    sent,
    ...(plan && { plan }),
  }
}

/** The Messages that a step found, and what References read in them. */
export function contextView(record: RecordedRun, step: Step): ContextView {
  const found = record.contextOf(step)
  const names = new Set(found.flatMap((message) => (isData(message) ? [messageKind(message)] : [])))
  const kinds = [...names].map((kind) => {
    const path = { kind, segments: [] }
    return [kind, readState(found, path) ?? null] as const
  })
  return { messages: found, kinds: Object.fromEntries(kinds) }
}

function isData(message: Message): message is Message & Parameters<typeof messageKind>[0] {
  return isDataMessage(message)
}

function planView(step: Step, record: RecordedRun, tools: Tools): PlanView | undefined {
  const calls = callsOf(step)
  if (calls.length === 0) return undefined
  const context = record.contextOf(step)
  const { isReadable, complete } = planReading((tool) => tools.get(tool)?.schema, context)
  const { waitsFor, problem } = graphOf(() => planGraph(calls.map(complete), context, isReadable))
  const views = calls.map((call, place): PlannedCallView => {
    const ran = record.callOf(`${step.key}.${place}`)
    const effects = ran?.effects ?? tools.get(call._tool)?.schema.effects
    return {
      call,
      status: ran ? statusOf(ran) : 'not run',
      waitsFor: waitsFor[place] ?? [],
      ...(effects && { effects }),
      ...(ran && { step: ran.index }),
    }
  })
  return { calls: views, ...(problem !== undefined && { problem }) }
}

function graphOf(make: () => { readonly waitsFor: readonly (readonly number[])[] }): {
  readonly waitsFor: readonly (readonly number[])[]
  readonly problem?: string
} {
  try {
    return make()
  } catch (error) {
    if (isCallsheetError(error)) return { waitsFor: [], problem: error.message }
    throw error
  }
}

export function statusOf({ outcome }: Step): StepLine['status'] {
  if (!outcome) return 'running'
  if (isJsonObject(outcome.approval)) return 'waiting'
  const { status } = outcome
  return status === 'succeeded' || status === 'aborted' || status === 'refused' ? status : 'failed'
}

function briefOf(step: Step): string {
  const { kind, call, outcome } = step
  const error = outcome?.error
  if (isJsonObject(error)) return shortened(`${asText(error.code)}: ${asText(error.message)}`)
  if (kind === 'approval') return 'whether the plan may run'
  if (kind === 'call') {
    const parameters = Object.entries(call).filter(([name]) => !name.startsWith('_'))
    return shortened(canonicalJson(Object.fromEntries(parameters)))
  }
  const calls = callsOf(step)
  const output: unknown = answerOf(step)?.solution?.output
  if (calls.length > 0) return shortened(calls.map(({ _tool }) => asText(_tool)).join(', '))
  return output === undefined || output === null ? '' : shortened(canonicalJson(output))
}

function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
