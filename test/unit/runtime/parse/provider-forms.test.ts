import { describe, expect, test } from 'vitest'
import { answerSolution } from '../../../../runtime/agent/transport/answer-json.ts'
import { createRegistry } from '../../../../runtime/create-registry.ts'
import { isCallsheetError } from '../../../../runtime/errors.ts'
import { parseCalls } from '../../../../runtime/parse/parse.ts'
import { tool } from '../../../../runtime/schema/tool.ts'

const hi = { _tool: 'bold', text: 'hi' }
const given = { name: 'bold', arguments: { text: 'hi' } }
const asText = { name: 'bold', arguments: '{"text":"hi"}' }
const chat = { id: 'call_1', type: 'function', function: asText }

const forms: [what: string, value: unknown, calls: number][] = [
  ['arguments as an object', given, 1],
  ['arguments as text', asText, 1],
  ['input', { type: 'tool_use', id: 'toolu_1', name: 'bold', input: { text: 'hi' } }, 1],
  ['args of a functionCall', { functionCall: { name: 'bold', args: { text: 'hi' } } }, 1],
  ['an older function_call', { role: 'assistant', content: null, function_call: asText }, 1],
  ['a function call of the Responses API', { type: 'function_call', call_id: 'c', ...asText }, 1],
  ['parameters', { name: 'bold', parameters: { text: 'hi' } }, 1],
  ['a list', [given, asText, hi], 3],
  ['tool_calls', { tool_calls: [chat, { ...chat, id: 'call_2' }] }, 2],
  ['tool_calls without ids', { tool_calls: [{ function: asText }, { function: asText }] }, 2],
  ['a call that is said twice', { tool_calls: [chat, chat] }, 1],
  ['a message with tool_calls', { role: 'assistant', content: null, tool_calls: [chat] }, 1],
  ['a solution', { calls: [given, hi], output: null }, 2],
  ['the Tool named twice, and the same', { name: 'bold', arguments: hi }, 1],
]

const ways: [way: string, put: (json: string) => string][] = [
  ['alone', (json) => json],
  ['in a fence', (json) => `Sure:\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
  ['in prose', (json) => `I call ${json} now.`],
  ['in a tag', (json) => `<tool_call>\n${json}\n</tool_call>`],
  ['as a string', (json) => JSON.stringify(json)],
]

describe("CALL-9 the providers' own forms are Calls", () => {
  test.each(forms)('%s', (_what, value, calls) => {
    const want = Array.from({ length: calls }, () => hi)
    expect(parseCalls(value)).toEqual(want)
    for (const [way, put] of ways) {
      const text = put(JSON.stringify(value))
      expect(parseCalls(text), way).toEqual(want)
      expect(answerSolution(text), way).toEqual({ calls: want, output: null })
    }
  })

  test('without arguments, and with the empty text that some models send', () => {
    const want = [{ _tool: 'now' }]
    for (const called of [
      { name: 'now', arguments: '' },
      { name: 'now', input: {} },
    ]) {
      expect(parseCalls(called)).toEqual(want)
    }
    expect(parseCalls({ tool_calls: [{ function: { name: 'now' } }] })).toEqual(want)
  })

  test('meta-fields come with the arguments', () => {
    const call = { name: 'bold', arguments: { text: '†state.a', _outputPath: '†state.b' } }
    expect(parseCalls(call)).toEqual([{ _tool: 'bold', text: '†state.a', _outputPath: '†state.b' }])
  })

  test('a Call of ours stays one, whatever its parameters are called', () => {
    const call = { _tool: 'x', name: 'bold', arguments: '(1, 2)', function: { name: 'y' } }
    expect(parseCalls(call)).toEqual([call])
    expect(parseCalls(`So ${JSON.stringify(call)}`)).toEqual([call])
  })

  test('names come back from their provider-safe form', () => {
    const { Tool } = createRegistry({
      tools: {
        'Kit.bold': tool('Kit.bold', { text: { type: 'string' } }),
        plain__name: tool('plain__name', {}),
      },
    })
    expect(Tool.parse({ name: 'Kit__bold', input: { text: 'hi' } })).toEqual([
      { _tool: 'Kit.bold', text: 'hi' },
    ])
    expect(Tool.parse({ name: 'plain__name', input: {} })).toEqual([{ _tool: 'plain__name' }])
    expect(Tool.parse({ name: 'Kit__bolt', input: {} })).toEqual([{ _tool: 'Kit__bolt' }])
  })

  test('Tool.parse(name, arguments) reads the arguments of one Tool', () => {
    const { Tool } = createRegistry({ tools: { bold: tool('bold', { text: { type: 'string' } }) } })
    expect(Tool.parse('bold', '{"text":"hi"}')).toEqual(hi)
    expect(Tool.parse('bold', { text: 'hi' })).toEqual(hi)
    expect(failure(() => Tool.parse('bolt', '{}')).code).toBe('unknown_tool')
    expect(failure(() => Tool.parse('bold', '{"text":"h')).code).toBe('malformed_json')
    expect(failure(() => Tool.parse('bold', '[1]')).code).toBe('invalid_call')
    expect(failure(() => Tool.parse('bold', undefined)).code).toBe('invalid_call')
  })
})

describe('CALL-9 what only looks like one is refused', () => {
  const refused: [what: string, value: unknown, code: string, path?: string][] = [
    [
      'another Tool in the arguments',
      { name: 'bold', arguments: { _tool: 'pay' } },
      'invalid_call',
      '/arguments/_tool',
    ],
    [
      'another Tool in the text',
      { name: 'bold', arguments: '{"_tool":"pay"}' },
      'invalid_call',
      '/arguments/_tool',
    ],
    ['no text as the Tool', { name: 'bold', arguments: { _tool: null } }, 'invalid_call', '/arguments/_tool'],
    ['two sets of arguments', { name: 'bold', arguments: {}, input: { text: 'hi' } }, 'invalid_call', ''],
    ['arguments that are a list', { name: 'bold', arguments: '["hi"]' }, 'invalid_call', '/arguments'],
    ['arguments in a string in a string', { name: 'bold', arguments: '"{}"' }, 'invalid_call', '/arguments'],
    ['arguments that are null', { name: 'bold', arguments: null }, 'invalid_call', '/arguments'],
    ['input as text', { name: 'bold', input: '{}' }, 'invalid_call', '/input'],
    ['arguments that break off', { name: 'bold', arguments: '{"text":"h' }, 'malformed_json'],
    ['more after the arguments', { name: 'bold', arguments: '{} {}' }, 'malformed_json'],
    ['arguments too deep', { name: 'bold', arguments: `${'['.repeat(2000)}` }, 'malformed_json'],
    ['a name that is no text', { name: ['bold'], arguments: {} }, 'invalid_call', ''],
    ['a definition', { name: 'bold', description: 'Makes bold.', parameters: {} }, 'invalid_call', ''],
    [
      'a definition in tools',
      { type: 'function', function: { name: 'bold', parameters: {} } },
      'invalid_call',
      '',
    ],
    ['a name alone', { name: 'bold' }, 'invalid_call', ''],
    ['tool_calls that are no list', { tool_calls: given }, 'invalid_call', '/tool_calls'],
    [
      'one that is none among others',
      { tool_calls: [chat, { function: 'bold' }] },
      'invalid_call',
      '/tool_calls/1',
    ],
  ]
  test.each(refused)('%s', (_what, value, code, path) => {
    const error = failure(() => parseCalls(value))
    expect(error.code).toBe(code)
    if (path !== undefined) expect(error.problems?.[0]?.path).toBe(path)
    expect(failure(() => parseCalls(JSON.stringify(value))).code).toBe(code)
  })

  test('a broken call beside a whole one runs neither', () => {
    const text = `First ${JSON.stringify(given)}, then {"name":"bold","arguments":{text:1}}.`
    expect(failure(() => parseCalls(text)).code).toBe('malformed_json')
  })

  test('names and keys of a prototype stay data', () => {
    const [call] = parseCalls('{"name":"bold","arguments":"{\\"__proto__\\":{\\"polluted\\":true}}"}')
    expect(Object.getPrototypeOf(call)).toBe(Object.prototype)
    expect({}).not.toHaveProperty('polluted')
    expect(Object.keys(call ?? {})).toEqual(['_tool', '__proto__'])
    const inherited = Object.create({ name: 'bold', arguments: {} })
    expect(failure(() => parseCalls(inherited)).code).toBe('invalid_call')
  })

  test('REQ-6a in a solution it stays as it is and names no Tool, so that it alone is rejected', () => {
    const malformed = { name: 'bold', arguments: { _tool: 'pay' } }
    const text = JSON.stringify({ calls: [malformed, asText], output: null })
    expect(answerSolution(text)).toEqual({ calls: [malformed, hi], output: null })
  })
})

function failure(run: () => unknown) {
  try {
    run()
  } catch (thrown) {
    if (isCallsheetError(thrown)) return thrown
    throw thrown
  }
  throw new Error('expected an error')
}
