import { isString } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'

/**
 * Protects text that comes from users from being read as a Reference (REF-1): the parameter arrives as this text,
 * whatever it looks like. The protection is a second `†`, so the Call stays plain JSON.
 *
 * Not needed under `{ references: false }`, where nothing is read as a Reference and nothing is taken off.
 *
 * @example
 * literal('†state.secret') // '††state.secret', which the Activity gets as '†state.secret'
 * literal('hello')         // 'hello'
 */
export function literal<Text extends string>(text: Text): Text extends `†${string}` ? `†${Text}` : Text {
  requireArgument('literal', text, [isString, 'a text'])
  type Literal = Text extends `†${string}` ? `†${Text}` : Text
  return (text.startsWith('†') ? `†${text}` : text) as Literal
}
