import type { Call } from '../../context/message.ts'
import { outputMethod } from '../../context/output-methods.ts'
import { CallError, type Problem } from '../../errors.ts'
import { own } from '../../json/json.ts'
import { type FieldRule, isString, text } from '../../problems/field-rule.ts'
import { noSuchProperty, problem, saidProblem } from '../../problems/problem.ts'
import { isFreeField, isMetaField, type MetaField } from '../../schema/meta-fields.ts'
import type { ToolFacts } from '../../schema/tool-facts.ts'
import { invalidCall } from '../call-errors.ts'

/** The form that the runtime itself requires of a meta-field, whatever the Tool's schema allows. */
const forms: Readonly<Record<string, FieldRule>> = {
  _reasoningForCall: text,
  _instance: text,
  _outputPath: [isString, 'a path such as "†state.user.name"'],
  _scopes: [(value) => Array.isArray(value) && value.every(isString), 'a list of kinds and References'],
  _outputMethod: outputMethod,
}

/**
 * Checks the meta-fields of a Call before any Reference is read (CALL-1a): the Tool must declare each of them, each
 * must have the form that the runtime requires, and none may choose another implementation (CALL-3).
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
  const requested = call._activity
  if (requested !== undefined && requested !== '' && requested !== activity && requested !== name) {
    throw mismatch('_activity', requested, [...new Set([activity, name, ''])], name)
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
  // A Tool may declare a meta-field as nullable: null then means that the Call has none.
  return holds && value !== null && !holds(value) ? problem(pointer, expected ?? '', value) : undefined
}

/** Creates the error of a Call that chooses its implementation: only the Tool and the policy may. */
function mismatch(field: string, requested: unknown, legal: readonly string[], name: string): CallError {
  const expected = legal.map((value) => JSON.stringify(value)).join(' or ')
  const found = problem(`/${field}`, expected, requested)
  return new CallError('activity_mismatch', `Tool "${name}" cannot be run this way: ${found.message}.`, {
    problems: [found],
  })
}
