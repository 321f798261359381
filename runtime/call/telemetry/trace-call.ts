import type { Call } from '../../context/message.ts'
import { shorten } from '../../problems/shorten.ts'
import { isMetaField } from '../../schema/meta-fields.ts'
import type { AcceptedCall } from '../accept/accepted-call.ts'
import type { Emitter } from '../events.ts'
import type { Outcome } from '../outcome.ts'
import { toolNameOf } from '../run/make-outcome.ts'
import type { CallSpan, CallTracer } from './tracer.ts'

/** `SpanKind.INTERNAL` and `SpanStatusCode.ERROR`, as the OpenTelemetry specification numbers them for JavaScript. */
const internalSpan = 0
const errorStatus = 2

/** How much of a name a span tells, in characters. */
const longestName = 200

/** A Call to run inside a span. */
export interface TracedCall {
  readonly events: Emitter
  readonly tracer: CallTracer
  readonly captureContent: boolean
  readonly call: AcceptedCall
  run(): Promise<Outcome>
}

/**
 * Runs a Call in a span by the GenAI conventions (https://opentelemetry.io/docs/specs/semconv/gen-ai/): what its
 * Activity traces itself becomes a child. A tracer that throws is told of as `listener:error` and costs the span, never
 * the Call.
 */
export function traceCall({ events, tracer, captureContent, call, run }: TracedCall): Promise<Outcome> {
  let running: Promise<Outcome> | undefined
  // Whenever and however often a tracer begins its work, the Call runs once.
  const runOnce = (): Promise<Outcome> => (running ??= run())
  const failed = (error: unknown): void => events.failed('telemetry', error, 'the tracer failed.')
  try {
    tracer.startActiveSpan(spanName(call), spanOptions(call, captureContent), (span) => {
      runOnce()
        .then((outcome) => endSpan(span, outcome, captureContent))
        .catch(failed)
    })
  } catch (error) {
    failed(error)
  }
  return runOnce()
}

/** A name that no Tool has is a model's word: there would be as many spans as it makes up. */
function spanName({ call, error }: AcceptedCall): string {
  const name = toolNameOf(call)
  return name === '' || error?.code === 'unknown_tool' ? 'execute_tool' : `execute_tool ${name}`
}

function spanOptions(
  { run, call, prepared }: AcceptedCall,
  captureContent: boolean,
): {
  kind: number
  attributes: Record<string, string>
} {
  const description = prepared?.entry.schema.description
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': shorten(toolNameOf(call), longestName),
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': run.id,
    ...(description !== undefined && { 'gen_ai.tool.description': description }),
    ...(captureContent && { 'gen_ai.tool.call.arguments': parametersText(call) }),
  }
  return { kind: internalSpan, attributes }
}

/** Says how the Call ended. Messages quote what was received, so they count as content. */
function endSpan(span: CallSpan, { status, error, output }: Outcome, captureContent: boolean): void {
  if (error) span.setAttribute('error.type', error.code)
  if (status !== 'succeeded') {
    span.setStatus({ code: errorStatus, ...(captureContent && error && { message: error.message }) })
  } else if (captureContent && output !== undefined) {
    span.setAttribute('gen_ai.tool.call.result', jsonText(output))
  }
  span.end()
}

function parametersText(call: Call): string {
  return jsonText(Object.fromEntries(Object.entries(call).filter(([name]) => !isMetaField(name))))
}

/** Span attributes are text; a Call that was refused, or an output that nothing describes, need not be JSON. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '"not JSON"'
  }
}
