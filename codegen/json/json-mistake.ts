import { type ParseError, type ParseOptions, parse, printParseErrorCode } from 'jsonc-parser'
import { withoutMark } from '../../runtime/json/without-mark.ts'

/** The first syntax error of a JSON text. `JSON.parse` reports the position only in some of its messages. */
export interface JsonMistake {
  readonly text: string
  /** 1-based. */
  readonly line: number
  readonly column: number
}

/** Finds the first syntax error of a text; undefined if it is valid. */
export function jsonMistake(
  text: string,
  options: ParseOptions = { disallowComments: true },
): JsonMistake | undefined {
  const errors: ParseError[] = []
  try {
    parse(withoutMark(text), errors, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The parser is recursive; some thousand brackets overflow the stack.
    return { text: 'nested too deeply', line: 1, column: 1 }
  }
  const [first] = errors
  if (first === undefined) return undefined
  const before = text.slice(0, first.offset).split('\n')
  const words = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return { text: words, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
