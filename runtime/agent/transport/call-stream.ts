import { maximumDepth } from '../../json/json-copy.ts'

/**
 * Finds the Calls in the text of a solution while it is streamed (REQ-7). A Call is returned when its own closing brace
 * has arrived, never before. Text that is not a solution yields no Calls; reading the complete text reports why.
 *
 * @example
 * const calls = new CallStream()
 * calls.push('{"calls":[{"_tool":"a"') // []
 * calls.push('},{"_tool":')            // [{ _tool: 'a' }]
 */
export class CallStream {
  #depth = 0
  #inString = false
  #isEscaped = false
  /** The part of the current Call received so far; undefined between Calls. */
  #call: string[] | undefined
  /** The offset in the current piece at which that Call's text begins. */
  #from = 0
  /** The last string at the top level of the solution, as far as it can be the key `calls`. */
  #key = ''
  /** True within the array `calls`. */
  #inCalls = false
  /** True if no more Calls can follow: `calls` has ended, or the text is not a solution. */
  #isOver = false

  /** Adds a piece. @returns The values in `calls` that have become complete. */
  push(piece: string): unknown[] {
    const complete: unknown[] = []
    this.#from = 0
    for (let at = 0; at < piece.length && !this.#isOver; at++) {
      const value = this.#read(piece, at)
      if (value !== undefined) complete.push(value)
    }
    // Nothing else is stored: an answer may be long and arrive in many pieces.
    this.#call?.push(piece.slice(this.#from))
    return complete
  }

  #read(piece: string, at: number): unknown {
    const char = piece.charAt(at)
    if (this.#inString) {
      this.#inside(char)
      return undefined
    }
    // Text around the solution is not JSON, so the complete answer would be refused.
    if (this.#depth === 0 && char !== '{' && char.trim() !== '') this.#isOver = true
    else if (char === '"') {
      this.#inString = true
      if (this.#depth === 1) this.#key = ''
    } else if (char === '{' || char === '[') this.#open(char, at)
    else if (char === '}' || char === ']') return this.#close(piece, at)
    return undefined
  }

  #inside(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === '\\') this.#isEscaped = true
    else if (char === '"') {
      this.#inString = false
      return
    }
    if (this.#depth === 1 && this.#key.length <= 'calls'.length) this.#key += char
  }

  #open(char: string, at: number): void {
    if (this.#depth === 1 && this.#key === 'calls' && char === '[') this.#inCalls = true
    if (this.#depth === 2 && this.#inCalls) {
      this.#call = []
      this.#from = at
    }
    this.#depth++
    // No Call may nest so deep, and the answer will be refused for it.
    if (this.#depth > maximumDepth) this.#isOver = true
  }

  #close(piece: string, at: number): unknown {
    this.#depth--
    if (this.#depth <= 1 && this.#inCalls) this.#isOver = true
    if (this.#depth !== 2 || this.#call === undefined) return undefined
    const text = [...this.#call, piece.slice(this.#from, at + 1)].join('')
    this.#call = undefined
    if (piece.charAt(at) === '}') return parsed(text, () => (this.#isOver = true))
    this.#isOver = true
    return undefined
  }
}

/** Parses a Call. Matching brackets may contain something that is not JSON; then the rest cannot be trusted either. */
function parsed(text: string, onFailure: () => void): unknown {
  try {
    return JSON.parse(text)
  } catch {
    onFailure()
    return undefined
  }
}
