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

/** The longest Tool name in a span, in characters; the rest is cut off. */
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
 * Runs a Call in a span that follows the GenAI conventions (https://opentelemetry.io/docs/specs/semconv/gen-ai/). Spans
 * that its Activity creates become children. If the tracer throws, the span is lost and the error goes to
 * `listener:error`; the Call runs all the same.
 */
export function traceCall({ events, tracer, captureContent, call, run }: TracedCall): Promise<Outcome> {
  let running: Promise<Outcome> | undefined
  // The Call runs once, even if the tracer calls back late, several times or never.
  const runOnce = (): Promise<Outcome> => (running ??= run())
  const failed = (error: unknown): void => events.failed('telemetry', error, 'the tracer failed.')
  try {
    const returned: unknown = tracer.startActiveSpan(
      spanName(call),
      spanOptions(call, captureContent),
      (span) => {
        runOnce()
          .then((outcome) => endSpan(span, call.call, outcome, captureContent))
          .catch(failed)
      },
    )
    // A tracer that is async fails by a promise, which would end the process.
    Promise.resolve(returned).catch(failed)
  } catch (error) {
    failed(error)
  }
  return runOnce()
}

/** Names the span. Leaves out unknown Tool names: a model may invent any number of them. */
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
    ...callAttributes(call, captureContent),
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': run.id,
    ...(description !== undefined && { 'gen_ai.tool.description': description }),
  }
  return { kind: internalSpan, attributes }
}

function callAttributes(call: Call, captureContent: boolean): Record<string, string> {
  return {
    'gen_ai.tool.name': shorten(toolNameOf(call), longestName),
    ...(captureContent && { 'gen_ai.tool.call.arguments': parametersText(call) }),
  }
}

/**
 * Records how the Call ended, and ends the span. Error messages quote values, so they count as content.
 *
 * @returns What the tracer's `end` returns: an async one fails by a promise.
 */
function endSpan(span: CallSpan, accepted: Call, outcome: Outcome, captureContent: boolean): unknown {
  const { status, error, output, call } = outcome
  // `confirm` may have replaced the Call, and `after` may have masked it.
  const changed = call === accepted ? {} : callAttributes(call, captureContent)
  for (const [name, value] of Object.entries(changed)) span.setAttribute(name, value)
  if (error) span.setAttribute('error.type', error.code)
  if (status !== 'succeeded') {
    span.setStatus({ code: errorStatus, ...(captureContent && error && { message: error.message }) })
  } else if (captureContent && output !== undefined) {
    span.setAttribute('gen_ai.tool.call.result', jsonText(output))
  }
  return span.end()
}

function parametersText(call: Call): string {
  return jsonText(Object.fromEntries(Object.entries(call).filter(([name]) => !isMetaField(name))))
}

/**
 * Serialises a value for a span attribute. An invalid Call, or the output of a Tool without `_output`, may not be JSON.
 */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    return '"not JSON"'
  }
}
