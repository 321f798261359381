import type { Call } from '../context/message.ts'
import { CallError } from '../errors.ts'
import { problem } from '../problems/problem.ts'
import type { ToolFacts } from '../schema/tool-facts.ts'
import { invalidCall } from './invalid-call.ts'

/**
 * Checks the meta-fields that every Call may carry and that have rules of their own (CALL-1a, CALL-3).
 *
 * @throws CallError `invalid_call` or `activity_mismatch`.
 */
export function checkMetaFields({ name, activity = name, delegate }: ToolFacts, call: Call): void {
  const reasoning = call._reasoningForCall
  if (reasoning !== undefined && typeof reasoning !== 'string') {
    throw invalidCall(`Tool "${name}" cannot take this Call`, [
      problem('/_reasoningForCall', 'a string', reasoning),
    ])
  }
  const said = call._activity
  if (said !== undefined && said !== '' && said !== activity && said !== name) {
    throw mismatch('_activity', said, [...new Set([activity, name, ''])], name)
  }
  if (delegate !== undefined && call._delegate !== undefined && call._delegate !== delegate) {
    throw mismatch('_delegate', call._delegate, [delegate], name)
  }
}

/** A Call never chooses its implementation: the Tool and the policy do. */
function mismatch(field: string, said: unknown, legal: readonly string[], name: string): CallError {
  const expected = legal.map((value) => JSON.stringify(value)).join(' or ')
  const found = problem(`/${field}`, expected, said)
  return new CallError('activity_mismatch', `Tool "${name}" cannot be run this way: ${found.message}.`, {
    problems: [found],
  })
}
