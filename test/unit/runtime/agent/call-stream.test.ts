import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CallStream } from '../../../../runtime/agent/transport/call-stream.ts'

const settings = { numRuns: 150 }

function read(pieces: readonly string[]): unknown[] {
  const stream = new CallStream()
  return pieces.flatMap((piece) => stream.push(piece))
}

describe('REQ-7 Calls out of a text that is still coming', () => {
  const call = fc.dictionary(fc.string(), fc.jsonValue()).map((rest) => ({ ...rest, _tool: 'x' }))
  const solution = fc.record({ calls: fc.array(call, { maxLength: 4 }), output: fc.jsonValue() })

  test('the same Calls, wherever the text is cut and however it is spaced', () => {
    fc.assert(
      fc.property(solution, fc.array(fc.nat()), fc.constantFrom(0, 2), (value, cuts, indent) => {
        const text = JSON.stringify(value, null, indent)
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b)
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
        expect(read(pieces)).toEqual(JSON.parse(text).calls)
      }),
      settings,
    )
  })

  test('nothing before its own last brace, and then at once', () => {
    fc.assert(
      fc.property(solution, (value) => {
        const text = JSON.stringify(value)
        const stream = new CallStream()
        let found = 0
        for (let at = 0; at < text.length; at++) {
          for (const each of stream.push(text.charAt(at))) {
            expect(text.charAt(at)).toBe('}')
            expect(each).toEqual(JSON.parse(text).calls[found++])
            expect(text.slice(0, at + 1).endsWith(JSON.stringify(each))).toBe(true)
          }
        }
        expect(found).toBe(value.calls.length)
      }),
      settings,
    )
  })

  test('what is read once is not read again: an answer in a great many pieces takes its length', () => {
    // Read anew with each piece, this would be minutes.
    const text = 'x'.repeat(2_000_000)
    const stream = new CallStream()
    const found = [...JSON.stringify({ calls: [{ _tool: 'a', text }] })].flatMap((piece) =>
      stream.push(piece),
    )
    expect(found).toEqual([{ _tool: 'a', text }])
  })

  test.each([
    ['calls in a string', '{"note":"{\\"calls\\":[{\\"_tool\\":\\"a\\"}]}","calls":[]}', []],
    ['calls further in', '{"output":{"calls":[{"_tool":"a"}]}}', []],
    ['a list', '[{"calls":[{"_tool":"a"}]}]', []],
    ['calls that are no list', '{"calls":{"a":[{"_tool":"a"}]}}', []],
    ['a second calls', '{"calls":[{"_tool":"a"}],"calls":[{"_tool":"b"}]}', [{ _tool: 'a' }]],
    ['a Call that is no JSON', '{"calls":[{"_tool":a},{"_tool":"b"}]}', []],
    ['lists in calls', '{"calls":[[{"_tool":"a"}],{"_tool":"b"}]}', []],
    ['brackets that do not match', '{"calls":[{"_tool":"a"]}', []],
    ['quotes and escapes', '{"calls":[{"_tool":"a","x":"}\\"]\\\\"}]}', [{ _tool: 'a', x: '}"]\\' }]],
    ['what nests too deep', `{"calls":[{"_tool":"a","x":${'['.repeat(2000)}${']'.repeat(2000)}}]}`, []],
    ['prose', 'Sure: {"calls":[{"_tool":"a"}]}', []],
  ])('%s', (_what, text, want) => {
    expect(read([...text])).toEqual(want)
  })
})
