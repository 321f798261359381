import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { parseCalls } from '../../../../runtime/parse/parse.ts'
import { parseTuple } from '../../../../runtime/parse/parse-tuple.ts'

const names = ['text', 'times', 'options']

function failure(parse: () => unknown): { code: string; message: string } {
  try {
    parse()
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    return error
  }
  throw new Error('parsed without an error')
}

describe('CALL-9 positional arguments for a named tool', () => {
  const cases: { name: string; given: unknown; want: object }[] = [
    { name: 'a JSON array', given: '["x", 1]', want: { text: 'x', times: 1 } },
    { name: 'an array as a value', given: ['x', 1], want: { text: 'x', times: 1 } },
    { name: 'a tuple with a comma at its end', given: '("x", 1, )', want: { text: 'x', times: 1 } },
    { name: 'a list with a comma at its end', given: '["x",]', want: { text: 'x' } },
    { name: 'one value in parentheses', given: ' ("x") ', want: { text: 'x' } },
    { name: 'no arguments', given: '()', want: {} },
    { name: 'single quotes', given: `('it\\'s "so"', 2)`, want: { text: 'it\'s "so"', times: 2 } },
    { name: 'an apostrophe in double quotes', given: `("it's")`, want: { text: "it's" } },
    { name: 'escapes', given: '("a\\n\\u00e9\\"\\\\")', want: { text: 'a\né"\\' } },
    {
      name: 'words of Python',
      given: '(None, True, False)',
      want: { text: null, times: true, options: false },
    },
    {
      name: 'words of JSON',
      given: '(null, true, false)',
      want: { text: null, times: true, options: false },
    },
    { name: 'numbers', given: '(-1, 2.5, 1e3)', want: { text: -1, times: 2.5, options: 1000 } },
    {
      name: 'nested literals',
      given: `([1, (2, 3,),], {}, {'a': ['b',], "c": None,},)`,
      want: { text: [1, [2, 3]], times: {}, options: { a: ['b'], c: null } },
    },
    { name: 'brackets and commas in strings', given: `("a),b", ',)')`, want: { text: 'a),b', times: ',)' } },
    { name: 'over several lines', given: '(\n  "x",\n  1,\n)\n', want: { text: 'x', times: 1 } },
    { name: 'in a fence', given: '```python\n("x", 1)\n```', want: { text: 'x', times: 1 } },
  ]
  test.each(cases)('$name', ({ given, want }) => {
    expect(parseTuple('bold', names, given)).toEqual({ _tool: 'bold', ...want })
  })

  const bad: { name: string; given: unknown; code: string; says: string }[] = [
    { name: 'cut off', given: '("x", 1', code: 'malformed_json', says: 'line 1, column 8 (offset 7)' },
    { name: 'cut off in a string', given: "('x", code: 'malformed_json', says: "expected a closing '" },
    {
      name: 'closed by the other bracket',
      given: '("x"]',
      code: 'malformed_json',
      says: 'expected "," or ")"',
    },
    { name: 'two commas', given: '("x",,)', code: 'malformed_json', says: 'column 6' },
    { name: 'a comma alone', given: '(,)', code: 'malformed_json', says: 'column 2' },
    {
      name: 'text after',
      given: '("x") and more',
      code: 'malformed_json',
      says: 'expected nothing after the arguments, got "a"',
    },
    { name: 'an object', given: '{"text": "x"}', code: 'malformed_json', says: 'expected "(" or "["' },
    { name: 'an unquoted word', given: '(hello)', code: 'malformed_json', says: 'expected a JSON value' },
    {
      name: 'a word that every object inherits',
      given: '(constructor)',
      code: 'malformed_json',
      says: 'expected a JSON value',
    },
    {
      name: 'an object as a value',
      given: { text: 'x' },
      code: 'invalid_call',
      says: 'a list of the arguments of bold',
    },
    {
      name: 'more than there are parameters',
      given: '(1, 2, 3, 4)',
      code: 'invalid_call',
      says: 'at most 3 (text, times, options), got 4',
    },
  ]
  test.each(bad)('$name is an error', ({ given, code, says }) => {
    const error = failure(() => parseTuple('bold', names, given))
    expect(error.code).toBe(code)
    expect(error.message).toContain(says)
  })

  test('JSON arrays of any values read as JSON.parse reads them, and their prefixes never', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 3 }), (values) => {
        const text = JSON.stringify(values)
        const want = Object.fromEntries(
          JSON.parse(text).map((value: unknown, at: number) => [names[at], value]),
        )
        expect(parseTuple('bold', names, text)).toEqual({ ...want, _tool: 'bold' })
        for (let length = 0; length < text.length; length++) {
          expect(failure(() => parseTuple('bold', names, text.slice(0, length))).code).toBe('malformed_json')
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a parameter named __proto__ is data', () => {
    const call = parseTuple('bold', ['__proto__'], '({"polluted": 1})')
    expect(Object.getPrototypeOf(call)).toBe(Object.prototype)
    expect(Object.hasOwn(call, '__proto__')).toBe(true)
  })

  test('a parameter named _tool does not rename the Call', () => {
    expect(parseTuple('bold', ['_tool'], '("other")')).toEqual({ _tool: 'bold' })
  })
})

describe('TOOL-9, CALL-9 calls of Tools whose parser is tuple', () => {
  const positional = (tool: string): readonly string[] | undefined =>
    tool === 'bold' || tool === 'a.b-c' ? names : undefined

  const cases: { name: string; given: string; want: object[] }[] = [
    { name: 'one call', given: 'bold("x", 1)', want: [{ _tool: 'bold', text: 'x', times: 1 }] },
    { name: 'a name with dots and dashes', given: 'a.b-c ()', want: [{ _tool: 'a.b-c' }] },
    {
      name: 'several, on lines or after semicolons',
      given: ' bold("x");\nbold("y") ; a.b-c(1)\n',
      want: [
        { _tool: 'bold', text: 'x' },
        { _tool: 'bold', text: 'y' },
        { _tool: 'a.b-c', text: 1 },
      ],
    },
    { name: 'in a fence', given: '```tool_code\nbold("x")\n```', want: [{ _tool: 'bold', text: 'x' }] },
    { name: 'JSON as ever', given: '{"_tool":"bold","text":"x"}', want: [{ _tool: 'bold', text: 'x' }] },
    {
      name: 'prose in which a Tool is named',
      given: 'bold is what I call: {"_tool":"bold"}',
      want: [{ _tool: 'bold' }],
    },
  ]
  test.each(cases)('$name', ({ given, want }) => {
    expect(parseCalls(given, { positional })).toEqual(want)
  })

  test.each([
    { name: 'cut off', given: 'bold("x", 1', says: 'the end of the text' },
    { name: 'cut off in the second', given: 'bold("x")\nbold("y"', says: 'line 2, column 9' },
    {
      name: 'prose after',
      given: 'bold("x") as you asked',
      says: 'expected a call of a positional Tool, got "a"',
    },
    { name: 'another Tool after', given: 'bold("x")\nother("y")', says: 'line 2, column 1' },
    { name: 'a Tool that is not positional', given: 'other("x")', says: 'expected a JSON object or array' },
  ])('$name is malformed_json', ({ given, says }) => {
    const error = failure(() => parseCalls(given, { positional }))
    expect(error.code).toBe('malformed_json')
    expect(error.message).toContain(says)
  })
})

describe('CALL-9 protocol vectors', () => {
  interface Vector {
    name: string
    text: string
    tool?: string
    params?: string[]
    want: object[] | { error: { code: string } }
  }
  const vectors: Vector[] = JSON.parse(
    readFileSync(new URL('../../../conformance/vectors/parse.json', import.meta.url), 'utf8'),
  )

  test.each(vectors)('$name', ({ text, tool, params, want }) => {
    const parse = () => (tool && params ? [parseTuple(tool, params, text)] : parseCalls(text))
    if (Array.isArray(want)) expect(parse()).toEqual(want)
    else expect(failure(parse).code).toBe(want.error.code)
  })
})
