import { parse } from 'jsonc-parser'
import { withoutMark } from '../../runtime/json/without-mark.ts'
import { jsonMistake } from './json-mistake.ts'

const options = { allowTrailingComma: true }

/**
 * Parses JSON as `tsconfig.json` files write it: with comments, trailing commas and a byte order mark.
 *
 * @throws SyntaxError with the place of the first mistake.
 */
export function parseJsonc(text: string): unknown {
  const plain = withoutMark(text)
  const mistake = jsonMistake(plain, options)
  if (mistake) throw new SyntaxError(`${mistake.text} at line ${mistake.line}, column ${mistake.column}`)
  return parse(plain, [], options)
}
