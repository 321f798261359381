import type { Call } from '../../context/message.ts'
import { outputMethod } from '../../context/output-methods.ts'
import { CallError, type Problem } from '../../errors.ts'
import { own } from '../../json/json.ts'
import { type FieldRule, isString, text } from '../../problems/field-rule.ts'
import { noSuchProperty, problem, saidProblem } from '../../problems/problem.ts'
import { isFreeField, isMetaField, type MetaField } from '../../schema/meta-fields.ts'
import type { ToolFacts } from '../../schema/tool-facts.ts'
import { invalidCall } from '../call-errors.ts'

/** What the runtime itself needs of a meta-field, whatever its Tool's schema allows: a test, and the words of an error. */
const forms: Readonly<Record<string, FieldRule>> = {
  _reasoningForCall: text,
  _instance: text,
  _outputPath: [isString, 'a path such as "†state.user.name"'],
  _scopes: [(value) => Array.isArray(value) && value.every(isString), 'a list of kinds and References'],
  _outputMethod: outputMethod,
}

/**
 * Checks the meta-fields of a Call before any Reference is read (CALL-1a): it carries none that its Tool does not
 * declare, each has the form that the runtime needs, and none of them chooses another implementation (CALL-3).
 *
 * @throws CallError `invalid_call` with every problem, or `activity_mismatch`.
 */
export function checkMetaFields(facts: ToolFacts, call: Call): void {
  const { name, activity = name, delegate } = facts
  const problems: Problem[] = []
  for (const field of Object.keys(call)) {
    if (!isMetaField(field) || call[field] === undefined) continue
    const found = metaFieldProblem(facts, field, call[field])
    if (found) problems.push(found)
  }
  if (problems.length > 0) throw invalidCall(`Tool "${name}" cannot take this Call`, problems)
  const said = call._activity
  if (said !== undefined && said !== '' && said !== activity && said !== name) {
    throw mismatch('_activity', said, [...new Set([activity, name, ''])], name)
  }
  if (delegate !== undefined && call._delegate !== undefined && call._delegate !== delegate) {
    throw mismatch('_delegate', call._delegate, [delegate], name)
  }
}

function metaFieldProblem({ name, meta }: ToolFacts, field: MetaField, value: unknown) {
  const pointer = `/${field}`
  if (!isFreeField(field) && !meta.includes(field)) {
    const sentence = `${noSuchProperty}; Tool "${name}" does not declare ${field}`
    return saidProblem(pointer, noSuchProperty, 'a meta-field that the Tool does not declare', sentence)
  }
  const [holds, expected] = (own(forms, field) as FieldRule | undefined) ?? []
  // A Tool may declare that null stands for none.
  return holds && value !== null && !holds(value) ? problem(pointer, expected ?? '', value) : undefined
}

/** A Call never chooses its implementation: the Tool and the policy do. */
function mismatch(field: string, said: unknown, legal: readonly string[], name: string): CallError {
  const expected = legal.map((value) => JSON.stringify(value)).join(' or ')
  const found = problem(`/${field}`, expected, said)
  return new CallError('activity_mismatch', `Tool "${name}" cannot be run this way: ${found.message}.`, {
    problems: [found],
  })
}
