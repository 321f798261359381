import { maximumDepth } from '../../json/json-copy.ts'

/**
 * Finds the Calls in the text of a solution while it is still coming (REQ-7). A Call is handed out when its own last
 * brace has come, never before; text that is not a solution gives no Calls, and reading the whole text says why.
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
  /** What has come of the Call that is being read; undefined between Calls. */
  #call: string[] | undefined
  /** Where the piece at hand begins to belong to that Call. */
  #from = 0
  /** The last string among the solution's own members, as far as it can be `calls`. */
  #key = ''
  /** Between the brackets of `calls`. */
  #inCalls = false
  /** No more Calls will come: `calls` is over, or the text is not a solution. */
  #isOver = false

  /** @returns The values in `calls` that are complete now. */
  push(piece: string): unknown[] {
    const complete: unknown[] = []
    this.#from = 0
    for (let at = 0; at < piece.length && !this.#isOver; at++) {
      const value = this.#read(piece, at)
      if (value !== undefined) complete.push(value)
    }
    // Nothing else is kept: an answer may be long, and come in a great many pieces.
    this.#call?.push(piece.slice(this.#from))
    return complete
  }

  #read(piece: string, at: number): unknown {
    const char = piece.charAt(at)
    if (this.#inString) {
      this.#inside(char)
      return undefined
    }
    // Text around the solution is not JSON: the whole would be refused in the end.
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
    // No Tool takes that, and the answer will be refused for it.
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

/** Brackets may have matched around something that is not JSON; then nothing after it can be trusted either. */
function parsed(text: string, onFailure: () => void): unknown {
  try {
    return JSON.parse(text)
  } catch {
    onFailure()
    return undefined
  }
}
