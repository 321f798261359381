import { isString } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'
import { invalidPath, parseReference } from './reference.ts'

/**
 * Marks a string as a Reference for the compiler, which checks it: the generated `reference` has the project's types (TYPE-1).
 * Returns the text itself.
 *
 * @throws CallError `invalid_path` for a text that is not a Reference.
 * @example
 * calls.advise({ days: reference('†state.days || †input.days') })
 */
export function reference(text: string): string {
  requireArgument('reference', text, [isString, 'a Reference such as †state.user.name'])
  if (!parseReference(text))
    throw invalidPath(text, 'a Reference such as †state.user.name, with && and || between')
  return text
}
