import { parse } from 'jsonc-parser'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { jsonMistake } from './json-mistake.ts'

const options = { allowTrailingComma: true }

/**
 * Parses JSON with comments, trailing commas and a byte order mark, as in `tsconfig.json` files.
 *
 * @throws SyntaxError with the position of the first syntax error.
 */
export function parseJsonc(text: string): unknown {
  const plain = withoutMark(text)
  const mistake = jsonMistake(plain, options)
  if (mistake) throw new SyntaxError(`${mistake.text} at line ${mistake.line}, column ${mistake.column}`)
  return parse(plain, [], options)
}
