/**
 * Finds the Calls in the text of a solution while it is still coming (REQ-7). A Call is handed out when its own last
 * brace has come, never before; what is no solution hands out nothing, and reading the whole text says why.
 *
 * @example
 * const calls = new CallStream()
 * calls.push('{"calls":[{"_tool":"a"') // []
 * calls.push('},{"_tool":')            // [{ _tool: 'a' }]
 */
export class CallStream {
  #text = ''
  #at = 0
  #depth = 0
  #inString = false
  #isEscaped = false
  /** Where the Call that is being read begins. */
  #start = -1
  /** Where the last string at the depth of the solution's own members begins. */
  #keyStart = -1
  #key = ''
  /** Between the brackets of `calls`. */
  #inCalls = false
  /** Nothing more is handed out: `calls` is over, or the text is no solution. */
  #isOver = false

  /** @returns The values in `calls` that are complete now. */
  push(piece: string): unknown[] {
    if (this.#isOver) return []
    this.#text += piece
    const complete: unknown[] = []
    for (; this.#at < this.#text.length && !this.#isOver; this.#at++) {
      const value = this.#read(this.#text.charAt(this.#at))
      if (value !== undefined) complete.push(value)
    }
    return complete
  }

  #read(char: string): unknown {
    if (this.#inString) {
      this.#inside(char)
      return undefined
    }
    // Whatever stands around the solution makes the text no JSON, so that it would be refused in the end.
    if (this.#depth === 0 && char !== '{' && char.trim() !== '') this.#isOver = true
    else if (char === '"') {
      this.#inString = true
      if (this.#depth === 1) this.#keyStart = this.#at
    } else if (char === '{' || char === '[') this.#open(char)
    else if (char === '}' || char === ']') return this.#close(char)
    return undefined
  }

  #inside(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === '\\') this.#isEscaped = true
    else if (char === '"') {
      this.#inString = false
      if (this.#depth === 1) this.#key = this.#text.slice(this.#keyStart + 1, this.#at)
    }
  }

  #open(char: string): void {
    if (this.#depth === 1 && this.#key === 'calls' && char === '[') this.#inCalls = true
    if (this.#depth === 2 && this.#inCalls) this.#start = this.#at
    this.#depth++
  }

  #close(char: string): unknown {
    this.#depth--
    if (this.#depth <= 1 && this.#inCalls) this.#isOver = true
    if (this.#depth !== 2 || this.#start < 0) return undefined
    const text = this.#text.slice(this.#start, this.#at + 1)
    this.#start = -1
    if (char === '}') return parsed(text, () => (this.#isOver = true))
    this.#isOver = true
    return undefined
  }
}

/** Brackets may have matched around something that is no JSON; then nothing after it can be trusted either. */
function parsed(text: string, onFailure: () => void): unknown {
  try {
    return JSON.parse(text)
  } catch {
    onFailure()
    return undefined
  }
}
