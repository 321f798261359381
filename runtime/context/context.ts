import { copyJson } from '../json/json-copy.ts'
import { isFunction, isString, text } from '../problems/field-rule.ts'
import { requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import type { GivenMessage, Message } from './message.ts'
import { contextInternals } from './reader.ts'
import { invalidPath, parseReference } from './reference.ts'
import { evaluate } from './state.ts'
import { createStateIndex } from './state-index.ts'
import { requireEachMessage } from './well-formed-message.ts'

/** An append-only log of Messages that can evaluate References. Created by {@link createContext}. */
export interface Context {
  /** The Messages so far, oldest first; grows with `append`. Each is a frozen copy of the appended one. */
  readonly messages: readonly Message[]
  /**
   * Appends Messages: all of them, or none.
   *
   * @throws CallsheetError `invalid_message` if one is not a Message, `invalid_call` if one is cyclic.
   */
  append(...messages: GivenMessage[]): void
  /**
   * Evaluates a Reference expression such as `†state.user.name || †input.name`.
   *
   * @param options.instance Reads as that instance: its own Messages first, then the global ones (INST-1).
   * @returns A copy of the value; undefined if it is not present.
   * @throws CallError `invalid_path` if the text is not a Reference.
   */
  read(reference: string, options?: { readonly instance?: string }): unknown
}

/** A context as functions accept it: an array is never changed, a Context is appended to. */
export type ContextLike = Context | readonly GivenMessage[]

/**
 * Creates a context. The time of a read does not depend on the number of Messages; see `docs/state-and-references.md`.
 *
 * @throws CallsheetError `invalid_message` if one of the Messages is malformed.
 * @example
 * const context = createContext([{ type: 'state', state: { user: { name: 'Alex' } } }])
 * context.append({ type: 'data', kind: 'state', data: { user: { name: 'Kim' } }, _path: '†state.user.name' })
 * context.read('†state.user.name') // 'Kim'
 */
export function createContext(messages: Iterable<GivenMessage> = []): Context {
  requireArgument('createContext', messages, [
    (value) => typeof value === 'object' && value !== null && isFunction(Reflect.get(value, Symbol.iterator)),
    'a list of Messages',
  ])
  const log: Message[] = []
  const index = createStateIndex(log)
  const append = (added: readonly GivenMessage[], of: string = 'those to append'): void => {
    requireEachMessage(added, of)
    const copies = added.map((each) => copyJson(each, true))
    for (const copy of copies) log.push(copy)
  }
  const context: Context = {
    messages: log,
    append: (...added) => append(added),
    read(reference, options = {}) {
      requireArgument('read', reference, [isString, 'a Reference such as †state.user.name'])
      requireOptionsOf('read', options, { instance: text })
      const { instance } = options
      const expression = parseReference(reference)
      if (!expression) throw invalidPath(reference, 'a Reference such as †state.user.name')
      return copyJson(evaluate(expression, index, instance))
    },
  }
  contextInternals.set(context, { reader: index, append })
  append(Array.from(messages), 'the list')
  return context
}
