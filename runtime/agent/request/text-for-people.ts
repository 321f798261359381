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
  let half = ''
  return (piece) => {
    const text = answer.push(piece)
    const said = half + (output ? output.push(text) : text)
    // The other half of such a character comes with the next piece.
    half = /[\ud800-\udbff]$/.exec(said)?.[0] ?? ''
    const whole = said.slice(0, said.length - half.length)
    if (whole !== '') tellListener('onText', onText, whole, { attempt })
  }
}

const beginOfThoughts = '<think>'

/** Drops the thoughts with which a text begins. */
class AfterThoughts {
  #isThinking = false
  #isOver = false
  /** The white space before the text. Apart from it, since a model can write nothing else for long. */
  #space = ''
  /** The text whose continuation decides whether thoughts begin or end with it. */
  #held = ''

  push(piece: string): string {
    if (this.#isOver) return piece
    let text = this.#held + piece
    if (!this.#isThinking) {
      const begun = text.trimStart()
      this.#space += text.slice(0, text.length - begun.length)
      text = begun
      this.#isThinking = text.startsWith(beginOfThoughts)
      this.#isOver = !this.#isThinking && !beginOfThoughts.startsWith(text)
      if (this.#isOver) return this.#space + text
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
  /** The text before the JSON; undefined from its beginning on. */
  #prose: Prose | undefined
  #depth = 0
  #inString = false
  /** The part of an escape received so far, from its backslash; empty outside of escapes. */
  #escape = ''
  /** The last string at the top level of the answer, as far as it can be the key `output`. */
  #key = ''
  #isValue = false

  /** @param mayBeginWithProse With native tools, a model may write text before the JSON or instead of it. */
  constructor(mayBeginWithProse = false) {
    this.#prose = mayBeginWithProse ? new Prose() : undefined
  }

  /** Adds a piece. @returns The text that has become complete. */
  push(piece: string): string {
    let text = ''
    for (const char of piece) text += this.#prose ? this.#before(this.#prose, char) : this.#read(char)
    return text
  }

  #before(prose: Prose, char: string): string {
    if (!prose.isLeftBy(char)) return prose.push(char)
    this.#prose = undefined
    this.#depth = 1
    return this.#read(char)
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

/** The part that the text has reached of what may lead to JSON. */
type Lead = 'space' | 'ticks' | 'info' | 'line' | 'brace'

/**
 * The prose before the JSON of an answer. White space, the first line of a Markdown fence and a brace are held back until more prose
 * follows, and dropped if JSON does.
 */
class Prose {
  #held = ''
  #lead: Lead = 'space'
  /** Number of backticks in a row, up to the last character. */
  #ticks = 0
  /** True if the first line of a fence is held back. */
  #opensFence = false
  /** True within a fence of the prose: the next one closes it, and leads to nothing. */
  #isFenced = false

  /** True if JSON begins with the brace that is held back. Other braces are part of the prose: `{x}`. */
  isLeftBy(char: string): boolean {
    return this.#lead === 'brace' && char === '"'
  }

  /** Adds a character. @returns The text that is known to be prose. */
  push(char: string): string {
    const lead = this.#leadAfter(char)
    this.#ticks = char === '`' ? this.#ticks + 1 : 0
    if (!lead) return this.#release(char)
    this.#lead = lead
    this.#opensFence ||= this.#ticks === 3
    this.#held += char
    return ''
  }

  #leadAfter(char: string): Lead | undefined {
    const lead = this.#lead
    if (char === '`') return lead === 'ticks' || this.#mayOpenFence ? 'ticks' : undefined
    const isInfo = lead === 'info' || (lead === 'ticks' && this.#opensFence)
    if (char === '{') return lead === 'space' || lead === 'line' || isInfo ? 'brace' : undefined
    if (/\s/.test(char)) return isInfo ? 'line' : lead === 'ticks' ? undefined : lead
    return isInfo ? 'info' : undefined
  }

  get #mayOpenFence(): boolean {
    return this.#lead === 'space' && !this.#isFenced && this.#ticks === 0
  }

  #release(char: string): string {
    const held = this.#held
    this.#held = ''
    this.#lead = 'space'
    this.#isFenced = (this.#isFenced || this.#opensFence) && this.#ticks !== 3
    this.#opensFence = false
    if (held === '') return char
    // What ends one lead may begin another.
    this.#ticks = 0
    return held + this.push(char)
  }
}
