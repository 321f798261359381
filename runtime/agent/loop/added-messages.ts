import type { Outcome } from '../../call/outcome.ts'
import type { Call, ErrorMessage, Message } from '../../context/message.ts'
import { instanceOf } from '../../context/output-path.ts'
import { isJsonObject } from '../../json/json.ts'
import { copyJson } from '../../json/json-copy.ts'
import { findNotJson } from '../../json/not-json.ts'
import { messageOf } from '../../problems/message-of.ts'
import { briefly } from '../../problems/problem.ts'
import type { ShownError } from './agent-options.ts'

/** Converts an error to the form that the model sees. */
export type Redact = (error: ShownError, outcome: Outcome) => ShownError

/**
 * Copies the Outcome of a failed Call with its error redacted in the Messages it wrote (OUT-6): other Calls of its
 * plan, and models that answer them, read those before the error itself is appended.
 */
export function redactAppended<Given extends Outcome>(outcome: Given, redact: Redact): Given {
  if (outcome.status !== 'failed' || outcome.appended.length === 0) return outcome
  const redacted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(redacted)
    if (!isJsonObject(value)) return value
    const { name, code, message } = value
    // The name is what was thrown too: an object such as a row of a database has one of its own.
    if (typeof name === 'string' && typeof message === 'string' && code !== undefined)
      return { name: 'Error', ...redact({ code: String(code), message }, outcome) }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redacted(each)]))
  }
  const appended = outcome.appended.map(
    (message): Message => (message.type === 'data' ? { ...message, data: redacted(message.data) } : message),
  )
  return { ...outcome, appended }
}

/**
 * Returns the Messages that a finished Call adds (REQ-8): its own, or else its output; and its failure, if it failed.
 *
 * @param instances The instances of the context so far.
 */
export function addedMessages(
  call: Call,
  outcome: Outcome,
  redact: Redact,
  instances: ReadonlySet<string>,
): readonly Message[] {
  if (outcome.status !== 'succeeded') {
    return [...outcome.appended, failureMessage(call, outcome, redact, instances)]
  }
  if (outcome.appended.length > 0) return outcome.appended
  const data = outcome.output ?? null
  const reason = whyNotJson(data)
  // The Call has run and counts; only its output cannot be represented (ACT-7a).
  if (reason !== undefined) return [makeErrorMessage(call, { code: 'invalid_output', message: reason })]
  return [{ type: 'data', kind: 'result', data, _call: call, ...instanceOf(call) }]
}

function failureMessage(
  call: Call,
  outcome: Outcome,
  redact: Redact,
  instances: ReadonlySet<string>,
): ErrorMessage {
  const { code = 'activity_failed', message = 'The Call failed.' } = outcome.error ?? {}
  // Until its Tool is known to accept an instance, and the instance to exist, a Call belongs to none: its error must
  // not create one.
  const hasInstance =
    code !== 'unknown_tool' && code !== 'invalid_call' && instances.has(call._instance as string)
  return makeErrorMessage(call, redact({ code, message }, outcome), hasInstance)
}

function makeErrorMessage(call: Call, { code, message }: ShownError, hasInstance = true): ErrorMessage {
  return { type: 'error', data: { call, error: { code, message } }, ...(hasInstance && instanceOf(call)) }
}

/** Explains why a value is not JSON, which a custom executor may return; undefined if it is JSON. */
function whyNotJson(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  try {
    const found = findNotJson(copyJson(value))
    if (!found) return undefined
    const where = found.path.length > 0 ? ` at /${found.path.join('/')}` : ''
    return `The Call ran, but its output is not JSON: JSON cannot hold ${briefly(found.value)}${where}.`
  } catch (thrown) {
    return `The Call ran, but its output is not JSON: ${messageOf(thrown)}`
  }
}
