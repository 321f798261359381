import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { parseCalls } from '../../../../runtime/parse/parse.ts'

const hi = { _tool: 'bold', text: 'hi' }
const ho = { _tool: 'bold', text: 'ho' }
const HI = JSON.stringify(hi)
const HO = JSON.stringify(ho)

function failure(text: unknown): { code: string; message: string; path: string | undefined } {
  try {
    parseCalls(text)
  } catch (error) {
    if (!isCallsheetError(error)) throw error
    return { code: error.code, message: error.message, path: error.problems?.[0]?.path }
  }
  throw new Error(`parsed without an error: ${JSON.stringify(text)}`)
}

describe('CALL-9 what models really send', () => {
  const cases: { name: string; given: unknown; want: object[] }[] = [
    { name: 'a Call as a value', given: hi, want: [hi] },
    { name: 'an array of Calls as a value', given: [hi, ho], want: [hi, ho] },
    { name: 'a solution as a value', given: { calls: [hi], output: null }, want: [hi] },
    { name: 'a Call as text', given: HI, want: [hi] },
    { name: 'white space and a byte order mark around', given: `\uFEFF \r\n${HI}\n\n`, want: [hi] },
    { name: 'an array as text', given: `[${HI}, ${HO}]`, want: [hi, ho] },
    { name: 'an empty array', given: '[]', want: [] },
    { name: 'a solution as text', given: `{"output": null, "calls": [${HI}]}`, want: [hi] },
    { name: 'a solution without Calls', given: '{"calls":[],"output":{"done":true}}', want: [] },
    { name: 'a string of JSON', given: JSON.stringify(HI), want: [hi] },
    { name: 'a string of a string of JSON', given: JSON.stringify(JSON.stringify(HI)), want: [hi] },
    { name: 'a fence', given: `\`\`\`\n${HI}\n\`\`\``, want: [hi] },
    {
      name: 'a fence with an info string',
      given: `Sure:\n\`\`\`json title="{x}"\n${HI}\n\`\`\`\nDone.`,
      want: [hi],
    },
    { name: 'a fence of tildes', given: `~~~~ jsonc\n${HI}\n~~~~`, want: [hi] },
    {
      name: 'a fence with Windows line ends',
      given: `Sure:\r\n\`\`\`json\r\n${HI}\r\n\`\`\`\r\n`,
      want: [hi],
    },
    {
      name: 'an indented fence in a quote',
      given: `> - Sure\n>   \`\`\`json\n>   ${HI}\n>   \`\`\``,
      want: [hi],
    },
    { name: 'a fence that a stop sequence left open', given: `\`\`\`json\n${HI}\n`, want: [hi] },
    { name: 'a fence on one line', given: `\`\`\`json ${HI} \`\`\``, want: [hi] },
    { name: 'several fences', given: `One\n\`\`\`\n${HI}\n\`\`\`\nTwo\n~~~\n[${HO}]\n~~~`, want: [hi, ho] },
    {
      name: "a fence in a Call's text",
      given: JSON.stringify({ ...hi, text: '```\n{"_tool":"x"}\n```' }),
      want: [{ ...hi, text: '```\n{"_tool":"x"}\n```' }],
    },
    {
      name: 'prose that repeats what the fence holds',
      given: `I call ${HI} now:\n\`\`\`json\n${HI}\n\`\`\``,
      want: [hi],
    },
    { name: 'an empty list in a fence', given: 'Nothing to do:\n```json\n[]\n```', want: [] },
    { name: 'prose', given: `I will call ${HI}, then stop.`, want: [hi] },
    { name: 'several Calls in prose', given: `First ${HI} and then ${HO}.`, want: [hi, ho] },
    { name: 'lines of JSON', given: `${HI}\n${HO}\n`, want: [hi, ho] },
    {
      name: 'prose with brackets that are no JSON',
      given: `In {this} set [sic] {a: 1} [^1]: ${HI} (see {x})`,
      want: [hi],
    },
    { name: 'prose with JSON that holds no Calls', given: `As in [1] and {"note": [2]}: ${HI}`, want: [hi] },
    { name: 'a tag around', given: `<tool_call>${HI}</tool_call>`, want: [hi] },
    {
      name: 'braces and quotes in strings',
      given: `so ${JSON.stringify({ _tool: 'x', t: 'a } ] " \\ {' })} ok`,
      want: [{ _tool: 'x', t: 'a } ] " \\ {' }],
    },
    {
      name: 'two keys of one name: the last, as JSON.parse',
      given: '{"_tool":"a","_tool":"b"}',
      want: [{ _tool: 'b' }],
    },
  ]
  test.each(cases)('$name', ({ given, want }) => {
    expect(parseCalls(given)).toEqual(want)
  })
})

describe('CALL-9 bad input is an error with the position', () => {
  const cases: { name: string; given: unknown; code: string; says: string; path?: string }[] = [
    {
      name: 'cut off in a value',
      given: '{"_tool": "bold", "text": ',
      code: 'malformed_json',
      says: 'line 1, column 27 (offset 26)',
    },
    {
      name: 'cut off in a string',
      given: '{"_tool": "bo',
      code: 'malformed_json',
      says: 'expected a closing "',
    },
    {
      name: 'cut off after a complete Call',
      given: `[${HI},`,
      code: 'malformed_json',
      says: 'the end of the text',
    },
    {
      name: 'cut off in a second value',
      given: `${HI}\n{"x":tr`,
      code: 'malformed_json',
      says: 'line 2, column 8',
    },
    {
      name: 'cut off in a string of JSON',
      given: JSON.stringify(HI).slice(0, -1),
      code: 'malformed_json',
      says: 'the end of the text',
    },
    {
      name: 'an escape of another language',
      given: String.raw`{"_tool": "bold", "text": "it\'s"}`,
      code: 'malformed_json',
      says: 'expected an escape that JSON knows, got "\\\\", near',
    },
    {
      name: 'two that are broken: the one that got further',
      given: 'Use {a} or {"text": "a", b} here.',
      code: 'malformed_json',
      says: 'offset 25',
    },
    {
      name: 'cut off in a fence',
      given: `Ok\n\`\`\`json\n{"calls":[${HI}\n`,
      code: 'malformed_json',
      says: 'line 4, column 1',
    },
    {
      name: 'a fence closed over a cut array',
      given: `\`\`\`\n[${HI},\n\`\`\``,
      code: 'malformed_json',
      says: 'line 3, column 1',
    },
    {
      name: 'one bad Call beside a good one',
      given: `[${HI}, oops]`,
      code: 'malformed_json',
      says: 'got "o"',
    },
    {
      name: 'one broken Call after a good one, in prose',
      given: `First ${HI}, then {"_tool": "bold", text: "ho"}.`,
      code: 'malformed_json',
      says: 'got "t"',
    },
    {
      name: 'a comma too many',
      given: '{"_tool": "x",}',
      code: 'malformed_json',
      says: 'expected a key in double quotes, got "}"',
    },
    { name: 'single quotes', given: "{'_tool': 'x'}", code: 'malformed_json', says: 'column 2' },
    {
      name: 'a raw line break in a string',
      given: '{"_tool": "a\nb"}',
      code: 'malformed_json',
      says: 'an escape, such as \\n',
    },
    {
      name: 'an escape that JSON lacks',
      given: '{"_tool": "a\\d"}',
      code: 'malformed_json',
      says: 'column 13',
    },
    {
      name: 'a number that JSON lacks',
      given: '{"_tool": "a", "n": 01}',
      code: 'malformed_json',
      says: 'got "0"',
    },
    {
      name: 'lines counted in every convention',
      given: '\r\n\r\n\n {"_tool": x}',
      code: 'malformed_json',
      says: 'line 4, column 12',
    },
    {
      name: 'prose alone',
      given: 'I cannot do that.',
      code: 'malformed_json',
      says: 'expected a JSON object or array',
    },
    { name: 'an empty text', given: ' \n', code: 'malformed_json', says: 'line 2, column 1' },
    {
      name: 'an empty list in prose',
      given: 'There is nothing in items[] yet.',
      code: 'invalid_call',
      says: 'an array of 0',
    },
    { name: 'a number', given: '42', code: 'invalid_call', says: 'got 42', path: '' },
    { name: 'null', given: 'null', code: 'invalid_call', says: 'got null' },
    { name: 'a bigint', given: 10n, code: 'invalid_call', says: 'got 10' },
    { name: 'undefined', given: undefined, code: 'invalid_call', says: 'got undefined' },
    {
      name: 'no _tool',
      given: '{"name": "bold", "text": {}}',
      code: 'invalid_call',
      says: 'keys ["name","text"]',
    },
    { name: 'a _tool that is no string', given: '{"_tool": 5}', code: 'invalid_call', says: '"_tool"' },
    { name: 'a _tool that is inherited', given: Object.create(hi), code: 'invalid_call', says: '"_tool"' },
    {
      name: 'a member that is no Call',
      given: `[${HI}, {"tool": "x"}]`,
      code: 'invalid_call',
      says: 'at /1',
      path: '/1',
    },
    {
      name: 'a member of a solution',
      given: `{"calls": [${HI}, null]}`,
      code: 'invalid_call',
      says: 'got null',
      path: '/calls/1',
    },
    {
      name: 'calls that are no list',
      given: '{"calls": {}}',
      code: 'invalid_call',
      says: 'an array of Calls',
      path: '/calls',
    },
    {
      name: 'a bad member in prose',
      given: `\n so: [${HI}, 3]`,
      code: 'invalid_call',
      says: 'line 2, column 6',
      path: '/1',
    },
    {
      name: 'strings within strings without end',
      given: [1, 2, 3, 4, 5].reduce((text) => JSON.stringify(text), HI),
      code: 'invalid_call',
      says: '"_tool"',
    },
  ]
  test.each(cases)('$name', ({ given, code, says, path }) => {
    const error = failure(given)
    expect(error.code).toBe(code)
    expect(error.message).toContain(says)
    if (path !== undefined) expect(error.path).toBe(path)
  })
})

describe('CALL-9 it never completes truncated input', () => {
  // As text spells it: -0 is 0.
  const json = (maxDepth: number): fc.Arbitrary<unknown> =>
    fc.jsonValue({ maxDepth }).map((value) => JSON.parse(JSON.stringify(value)))
  const name = fc.constantFrom('bold', 'PhraseEmphasis.bold', 'a-b')
  const call = fc.record({ _tool: name, value: json(3) }, { requiredKeys: ['_tool'] })
  const answer = fc.oneof(
    call,
    fc.array(call, { minLength: 1, maxLength: 3 }),
    fc.record({ calls: fc.array(call, { maxLength: 3 }), output: json(2) }),
    // The Tool's name last, so that a cut leaves JSON that does not name one.
    call.map(({ _tool, ...rest }) => ({ ...rest, _tool })),
  )
  const spelling = fc.constantFrom<(value: unknown) => string>(
    (value) => JSON.stringify(value),
    (value) => JSON.stringify(value, null, 2),
    (value) => JSON.stringify(JSON.stringify(value)),
  )

  test('an error shows what stands around the place, and not all of the text', () => {
    const { message } = failure(`{"text": "${'x'.repeat(10_000)}", oops}`)
    expect(message).toContain('xxx')
    expect(message.length).toBeLessThan(400)
  })

  test('every proper prefix of JSON text is malformed_json', () => {
    fc.assert(
      fc.property(answer, spelling, (value, spell) => {
        const text = spell(value)
        expect(parseCalls(text)).toEqual(parseCalls(value))
        for (let length = 0; length < text.length; length++) {
          expect(failure(text.slice(0, length)).code).toBe('malformed_json')
        }
      }),
      { numRuns: 60 },
    )
  })

  test('every cut of a second value after a whole Call is an error', () => {
    fc.assert(
      fc.property(call, (value) => {
        const second = JSON.stringify(value)
        for (let length = 1; length < second.length; length++) {
          expect(failure(`${HI}\n${second.slice(0, length)}`).code).toBe('malformed_json')
        }
      }),
      { numRuns: 40 },
    )
  })

  test('prose around a fence changes nothing', () => {
    const prose = fc
      .string({ unit: fc.constantFrom(...'ab .,:;"\'\\({[<|-*#') })
      .map((text) => text.replace(/[[{]\s*$/, ''))
    const closed = fc.string({ unit: fc.constantFrom(..."ab .,:;'()]}>*#\n") })
    fc.assert(
      fc.property(prose, closed, fc.array(call, { minLength: 1, maxLength: 3 }), (before, after, calls) => {
        const text = `${before}x\n\`\`\`json\n${JSON.stringify(calls)}\n\`\`\`\n${after}`
        // A stray quote and bracket in prose can hide where JSON begins; then it is an error, never other Calls.
        try {
          expect(parseCalls(text)).toEqual(JSON.parse(JSON.stringify(calls)))
        } catch (error) {
          if (!isCallsheetError(error)) throw error
          expect(before).toMatch(/["[{]/)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('text agrees with JSON.parse about what is JSON', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9"',
      '"\\x"',
      '1',
      '-',
      '0.5e3',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
      '"',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), (parts) => {
        const text = `{"_tool":"x","v":${parts.join('')}}`
        let value: unknown
        try {
          value = JSON.parse(text)
        } catch {
          expect(['malformed_json', 'invalid_call', undefined]).toContain(outcome(text))
          return
        }
        expect(parseCalls(text)).toEqual([value])
      }),
      { numRuns: 500 },
    )
  })

  function outcome(text: string): string | undefined {
    try {
      parseCalls(text)
      return undefined
    } catch (error) {
      if (!isCallsheetError(error)) throw error
      return error.code
    }
  }
})

describe('CALL-9 hostile text', () => {
  const megabytes = 4 * 2 ** 20
  const long: { name: string; text: string }[] = [
    { name: 'opening brackets', text: '['.repeat(megabytes) },
    { name: 'opening braces with keys', text: '{"a":'.repeat(megabytes / 5) },
    { name: 'brackets in prose', text: '[x {y '.repeat(megabytes / 6) },
    { name: 'nested prose', text: `${'[1,'.repeat(500)}x`.repeat(megabytes / 1501) },
    { name: 'quotes', text: '["'.repeat(megabytes / 2) },
    { name: 'backslashes', text: `["${'\\'.repeat(megabytes)}` },
    { name: 'digits', text: `[${'1'.repeat(megabytes)}x` },
    { name: 'white space', text: ' '.repeat(megabytes) },
    { name: 'white space after a Call', text: `${HI}${' '.repeat(megabytes)}x {` },
    { name: 'backticks', text: '`'.repeat(megabytes) },
    { name: 'fences', text: '```\n'.repeat(megabytes / 4) },
    { name: 'an unclosed string', text: `{"_tool":"${'a'.repeat(megabytes)}` },
    { name: 'line breaks', text: `${'\n'.repeat(megabytes)}{` },
  ]
  test.each(long)('4 MB of $name is refused in linear time', ({ text }) => {
    const start = performance.now()
    expect(['malformed_json', 'invalid_call']).toContain(failure(text).code)
    expect(performance.now() - start).toBeLessThan(40_000)
  })

  test('4 MB of many Calls is read in linear time', () => {
    const text = `${HI}\n`.repeat(megabytes / 28)
    const start = performance.now()
    expect(parseCalls(text).length).toBe(Math.floor(megabytes / 28))
    expect(performance.now() - start).toBeLessThan(40_000)
  })

  test('a Call nested 10,000 deep is malformed_json, one nested 500 deep is not', () => {
    const nested = (depth: number) => `{"_tool":"x","v":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(failure(nested(10_000)).message).toContain('at most 1000 levels')
    expect(parseCalls(nested(500))).toHaveLength(1)
  })

  test('__proto__ is data and reaches no prototype', () => {
    const [call] = parseCalls('{"__proto__":{"polluted":true},"_tool":"x"}')
    expect(call && Object.getPrototypeOf(call)).toBe(Object.prototype)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(failure('{"__proto__":{"_tool":"x"}}').code).toBe('invalid_call')
  })

  test('a value that is passed in is not changed', () => {
    const given = Object.freeze([Object.freeze({ ...hi })])
    expect(parseCalls(given)).toEqual([hi])
  })
})
