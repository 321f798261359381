import { isString } from '../problems/field-rule.ts'
import { requireArgument } from '../problems/option-problems.ts'

/**
 * Escapes a user's text so that it is not read as a Reference (REF-1): the Activity receives exactly this text. The escape is a
 * second `†`, so that the Call stays plain JSON.
 *
 * Not needed with `{ references: false }`: then nothing is read as a Reference, and no `†` is removed.
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
