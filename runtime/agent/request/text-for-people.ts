import { tellListener } from '../../problems/tell-listener.ts'
import { endOfThoughts } from '../transport/answer-json.ts'
import type { AnswerFormat } from './answer-format.ts'
import type { ModelOptions } from './request-options.ts'

/**
 * Creates the function that passes a model's text for people to `onText`: all text if the answer is not JSON; otherwise the output
 * and, with native tools, the text before it. Thoughts that a server left before the answer are dropped.
 */
export function textTeller(
  onText: ModelOptions['onText'],
  { mode, schema }: AnswerFormat<unknown>,
  attempt: number,
): ((text: string) => void) | undefined {
  if (!onText) return undefined
  const isNative = mode === 'native'
  const answer = new AfterThoughts()
  const output = isNative && schema === undefined ? undefined : new OutputText(isNative)
  return (piece) => {
    const text = answer.push(piece)
    const said = output ? output.push(text) : text
    if (said !== '') tellListener('onText', onText, said, { attempt })
  }
}

const beginOfThoughts = '<think>'

/** Drops the thoughts with which a text begins. */
class AfterThoughts {
  #isThinking = false
  #isOver = false
  /** The text whose continuation decides whether thoughts begin or end with it. */
  #held = ''

  push(piece: string): string {
    if (this.#isOver) return piece
    const text = this.#held + piece
    if (!this.#isThinking) {
      const begun = text.trimStart()
      this.#isThinking = begun.startsWith(beginOfThoughts)
      this.#isOver = !this.#isThinking && !beginOfThoughts.startsWith(begun)
      if (this.#isOver) return text
    }
    const end = this.#isThinking ? text.indexOf(endOfThoughts) : -1
    this.#isOver = end >= 0
    this.#held = this.#isThinking ? text.slice(1 - endOfThoughts.length) : text
    return this.#isOver ? text.slice(end + endOfThoughts.length) : ''
  }
}

/**
 * Extracts the text for people from the JSON of a streamed answer: the string `output`, decoded piece by piece.
 *
 * @example
 * const text = new OutputText()
 * text.push('{"calls":[],"output":"It has ') // 'It has '
 * text.push('3 \\u201clines\\u201d."}')      // '3 “lines”.'
 */
class OutputText {
  /** True until the JSON begins: with native tools, a model may write text before it or instead of it. */
  #isProse: boolean
  /** White space, and a brace, held back until more prose follows; dropped if JSON follows. */
  #held = ''
  #hasBrace = false
  #depth = 0
  #inString = false
  /** The part of an escape received so far, from its backslash; empty outside of escapes. */
  #escape = ''
  /** The last string at the top level of the answer, as far as it can be the key `output`. */
  #key = ''
  #isValue = false

  constructor(mayBeginWithProse = false) {
    this.#isProse = mayBeginWithProse
  }

  /** Adds a piece. @returns The text that has become complete. */
  push(piece: string): string {
    let text = ''
    for (const char of piece) text += this.#isProse ? this.#before(char) : this.#read(char)
    return text
  }

  #before(char: string): string {
    // Other braces are part of the prose: `{x}`.
    if (this.#hasBrace && char === '"') {
      this.#isProse = false
      this.#depth = 1
      return this.#read(char)
    }
    const said = this.#held + char
    const isHeld = /\s/.test(char) || (char === '{' && !this.#hasBrace)
    this.#hasBrace = isHeld && (this.#hasBrace || char === '{')
    this.#held = isHeld ? said : ''
    return isHeld ? '' : said
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
      // Not JSON; reading the complete answer reports it.
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
