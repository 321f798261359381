import { tellListener } from '../../problems/tell-listener.ts'
import type { AnswerFormat } from './answer-format.ts'
import type { ModelOptions } from './request-options.ts'

/**
 * Makes what tells `onText` of the text that a model writes for a person: all of it where the answer is not JSON, else
 * the goal's, and what stands before it beside native tools.
 */
export function textTeller(
  onText: ModelOptions['onText'],
  { mode, schema }: AnswerFormat<unknown>,
  attempt: number,
): ((text: string) => void) | undefined {
  if (!onText) return undefined
  const isNative = mode === 'native'
  const output = isNative && schema === undefined ? undefined : new OutputText(isNative)
  return (text) => {
    const said = output ? output.push(text) : text
    if (said !== '') tellListener('onText', onText, said, { attempt })
  }
}

/**
 * Finds what a model writes for a person in the JSON of its answer while it comes: the string `output` of the goal,
 * decoded piece by piece.
 *
 * @example
 * const text = new OutputText()
 * text.push('{"calls":[],"output":"It has ') // 'It has '
 * text.push('3 \\u201clines\\u201d."}')      // '3 “lines”.'
 */
class OutputText {
  /** True until the JSON begins, where a model may say something before it, or in place of it, beside its tool calls. */
  #isProse: boolean
  /** White space that is told when more prose comes, and not when JSON does. */
  #space = ''
  #depth = 0
  #inString = false
  /** What has come of an escape, from its backslash on; empty outside of one. */
  #escape = ''
  /** The last string among the answer's own members, as far as it can be `output`. */
  #key = ''
  #isValue = false

  constructor(mayBeginWithProse = false) {
    this.#isProse = mayBeginWithProse
  }

  /** @returns The text that is complete now. */
  push(piece: string): string {
    let text = ''
    for (const char of piece) {
      this.#isProse &&= char !== '{'
      text += this.#isProse ? this.#before(char) : this.#read(char)
    }
    return text
  }

  #before(char: string): string {
    this.#space += char
    if (/\s/.test(char)) return ''
    const said = this.#space
    this.#space = ''
    return said
  }

  #read(char: string): string {
    if (this.#inString) return this.#inside(char)
    if (char === '"') {
      this.#inString = true
      if (!this.#isValue) this.#key = ''
    } else if (char === ':') this.#isValue = true
    else if (char === ',') this.#isValue = false
    else if (char === '{' || char === '[') {
      this.#depth++
      this.#isValue = false
    } else if (char === '}' || char === ']') this.#depth--
    return ''
  }

  #inside(char: string): string {
    if (this.#escape !== '') return this.#escaped(char)
    if (char === '\\') {
      this.#escape = char
      return ''
    }
    if (char !== '"') return this.#said(char)
    this.#inString = false
    return ''
  }

  #escaped(char: string): string {
    this.#escape += char
    if (this.#escape.length < (this.#escape.charAt(1) === 'u' ? 6 : 2)) return ''
    const sequence = this.#escape
    this.#escape = ''
    try {
      return this.#said(JSON.parse(`"${sequence}"`) as string)
    } catch {
      // Not JSON; reading the whole answer says so.
      return ''
    }
  }

  #said(text: string): string {
    if (this.#depth !== 1) return ''
    if (this.#isValue) return this.#key === 'output' ? text : ''
    if (this.#key.length <= 'output'.length) this.#key += text
    return ''
  }
}
