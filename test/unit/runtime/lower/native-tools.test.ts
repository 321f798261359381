import { describe, expect, test } from 'vitest'
import { effectsOfHints } from '../../../../codegen/import/effects-of-hints.ts'
import type { JsonObject } from '../../../../runtime/json/json.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import { lowerTools, type NativeApi } from '../../../../runtime/native/native-tools.ts'
import type { Schema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { realTools } from './real-tools.ts'

const bold: ToolSchema = {
  type: 'object',
  title: 'Bold',
  description: 'Sets text in bold.',
  effects: 'read',
  properties: {
    _tool: { type: 'string', const: 'Phrase.bold' },
    text: { type: 'string' },
    extra: { type: 'object', additionalProperties: { type: 'number' } },
    by: { $ref: '#/$defs/Person' },
    _output: { type: 'object', properties: { html: { type: 'string' } } },
  },
  required: ['_tool', 'text'],
  additionalProperties: false,
}
const definitions = {
  Person: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  Other: { type: 'null' },
}
const tools = [{ name: 'Phrase.bold', schema: bold, activity: 'Phrase.bold' }]
const call = { _tool: 'Phrase.bold', _reasoningForCall: 'So.', text: 'hi', extra: { a: 1 } }

describe('REQ-5b the same Tools as native tools', () => {
  test('an API that is none is refused with those that there are', () => {
    expect(() => lowerTools([bold], 'openai' as NativeApi)).toThrow(/one of "openai-chat".* got "openai"/)
  })

  test('TOOL-3 two that would be sent under one name are refused', () => {
    const other: ToolSchema = { type: 'object', properties: { _tool: { const: 'Phrase__bold' } } }
    expect(() => lowerTools([bold, other], 'anthropic', { definitions })).toThrow(
      'Tools "Phrase.bold" and "Phrase__bold" would both be sent as "Phrase__bold". Rename one of them, or leave it out.',
    )
  })

  test('REQ-5c anthropic: parameters with names that it refuses go under others, and come back', () => {
    const long = 'x'.repeat(70)
    const text = { type: 'string' } as const
    const list: ToolSchema = {
      type: 'object',
      properties: {
        _tool: { const: 'list' },
        $top: { type: 'integer', description: 'How many.' },
        by_name: text,
        'by name': text,
        'größe[cm]': { type: 'object', properties: { 'a b': text }, required: ['a b'] },
        [long]: text,
        '': text,
      },
      required: ['_tool', '$top', 'by_name'],
      additionalProperties: false,
      examples: [{ _tool: 'list', $top: 1, by_name: 'a', 'by name': 'b' }],
    }
    const { tools: sent, callsFromAnswer, standIns } = lowerTools([list], 'anthropic', { metaFields: 'omit' })
    const cut = 'x'.repeat(64)
    expect(sent).toMatchObject([
      {
        input_schema: {
          properties: {
            _top: { type: 'integer', description: 'Called "$top". How many.' },
            gr__e_cm_: { properties: { 'a b': text }, description: 'Called "größe[cm]".' },
          },
          required: ['_top', 'by_name'],
        },
        input_examples: [{ _top: 1, by_name: 'a', by_name_2: 'b' }],
      },
    ])
    expect(
      Object.keys((sent[0] as { input_schema: { properties: object } }).input_schema.properties),
    ).toEqual(['_top', 'by_name', 'by_name_2', 'gr__e_cm_', cut, '_'])
    const input = { _top: 3, by_name: 'b', by_name_2: 'f', gr__e_cm_: { 'a b': 'c' }, [cut]: 'd', _: 'e' }
    expect(callsFromAnswer({ content: [{ type: 'tool_use', id: '1', name: 'list', input }] })).toEqual([
      {
        id: '1',
        call: {
          _tool: 'list',
          $top: 3,
          by_name: 'b',
          'by name': 'f',
          'größe[cm]': { 'a b': 'c' },
          [long]: 'd',
          '': 'e',
        },
      },
    ])
    const renamed = standIns.filter(({ kind }) => kind === 'renamed').map(({ pointer }) => pointer)
    expect(renamed).toEqual(['$top', 'by name', 'größe[cm]', long, ''].map((name) => `/properties/${name}`))
    expect(JSON.stringify(lowerTools([list], 'openai-chat').tools)).toContain('"$top"')
  })

  test('openai chat and responses: strict functions, each with the definitions it needs', () => {
    const chat = lowerTools(tools, 'openai-chat', { definitions })
    const responses = lowerTools(tools, 'openai-responses', { definitions })
    expect(chat.tools).toMatchObject([
      {
        type: 'function',
        function: {
          name: 'Phrase__bold',
          description: 'Sets text in bold.',
          strict: true,
          parameters: {
            type: 'object',
            required: ['_reasoningForCall', 'text', 'extra', 'by'],
            additionalProperties: false,
          },
        },
      },
    ])
    const [{ function: chatFunction }] = chat.tools as [{ function: object }]
    expect(responses.tools).toEqual([{ type: 'function', ...chatFunction }])
    expect(responses.tools[0]?.parameters).toMatchObject({ $defs: { Person: definitions.Person } })
    expect(responses.tools[0]?.parameters).not.toHaveProperty('$defs.Other')
    expect(chat.strict).toEqual(['Phrase.bold'])
  })

  test('what the name already says stays here; meta-fields and _output on request', () => {
    const fields = (options: Parameters<typeof lowerTools>[2]): string[] =>
      Object.keys(
        (
          (lowerTools(tools, 'openai-responses', { definitions, ...options }).tools[0]?.parameters ??
            {}) as ToolSchema
        ).properties ?? {},
      )
    expect(fields({})).toEqual(['_reasoningForCall', 'text', 'extra', 'by'])
    expect(fields({ metaFields: 'omit' })).toEqual(['text', 'extra', 'by'])
    expect(fields({ explicitOutput: 'keep' })).toEqual([
      '_reasoningForCall',
      'text',
      'extra',
      'by',
      '_output',
    ])
  })

  test('gemini: function declarations with parametersJsonSchema', () => {
    expect(lowerTools(tools, 'gemini', { definitions }).tools).toMatchObject([
      {
        functionDeclarations: [
          { name: 'Phrase__bold', parametersJsonSchema: { required: ['_reasoningForCall', 'text'] } },
        ],
      },
    ])
  })

  test('mcp: as declared, with output schema and hints, without meta-fields', () => {
    expect(lowerTools(tools, 'mcp', { definitions }).tools).toEqual([
      {
        name: 'Phrase__bold',
        title: 'Bold',
        description: 'Sets text in bold.',
        inputSchema: {
          type: 'object',
          title: 'Bold',
          properties: { text: bold.properties?.text, extra: bold.properties?.extra, by: definitions.Person },
          required: ['text'],
          additionalProperties: false,
        },
        outputSchema: bold.properties?._output,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      },
    ])
  })

  test('mcp: a parameter has a name that every client takes, and its own in the Call', () => {
    const properties = { 'filter[id]': { type: 'string' } }
    const list: ToolSchema = { type: 'object', properties: { _tool: { const: 'list' }, ...properties } }
    const { tools: listed, callsFromAnswer } = lowerTools([list], 'mcp')
    expect(listed).toMatchObject([{ inputSchema: { properties: { filter_id_: { type: 'string' } } } }])
    const [read] = callsFromAnswer({ name: 'list', arguments: { filter_id_: 'a' } })
    expect(read?.call).toEqual({ _tool: 'list', 'filter[id]': 'a' })
  })

  test.each(['read', 'idempotent', 'write'] as const)(
    'mcp: the hints of a %s Tool are read back as that',
    (effects) => {
      const [listed] = lowerTools([{ ...bold, effects }], 'mcp', { definitions }).tools
      expect(effectsOfHints(listed?.annotations as JsonObject)).toBe(effects)
    },
  )

  test('mcp: definitions stand in place of references, but for those that contain themselves', () => {
    const pair: ToolSchema = {
      type: 'object',
      properties: {
        _tool: { type: 'string', const: 'pair' },
        text: { $ref: '#/$defs/Text' },
        _output: { $ref: '#/$defs/Pair' },
      },
      required: ['_tool', 'text'],
      $defs: {
        Text: { type: 'string' },
        Pair: {
          type: 'object',
          properties: { of: { $ref: '#/$defs/Person' }, in: { $ref: '#/$defs/Pair' } },
        },
      },
    }
    const [listed] = lowerTools([pair], 'mcp', { definitions }).tools
    const inPlace = { type: 'object', properties: { of: definitions.Person, in: { $ref: '#/$defs/Pair' } } }
    expect(listed?.outputSchema).toEqual({ ...inPlace, $defs: { Pair: inPlace } })
    expect(listed?.inputSchema).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    })
  })
})

describe('REQ-5b openai: a Tool that exceeds a limit by itself is not strict', () => {
  const nested = (levels: number): Schema =>
    levels === 0
      ? { type: 'string' }
      : { type: 'object', properties: { a: nested(levels - 1) }, required: ['a'] }
  const names = (count: number, make: (at: number) => unknown) =>
    Array.from({ length: count }, (_, at) => make(at))
  const withValue = (value: Schema): ToolSchema => ({
    type: 'object',
    properties: { _tool: { const: 'large' }, value },
    required: ['_tool', 'value'],
  })

  test.each<[string, Schema, boolean]>([
    ['10 levels', nested(9), true],
    ['11 levels', nested(10), false],
    ['1,000 enum values', { enum: names(1_000, (at) => at) }, true],
    ['1,001 enum values', { enum: names(1_001, (at) => at) }, false],
    ['an enum of 18,000 characters', { enum: names(300, (at) => String(at).padEnd(60, 'x')) }, false],
    [
      '5,001 properties',
      {
        type: 'object',
        properties: Object.fromEntries(names(5_001, (at) => [`p${at}`, true]) as [string, true][]),
      },
      false,
    ],
  ])('%s', (_what, value, isStrict) => {
    for (const api of ['openai-chat', 'openai-responses'] as const) {
      const small: ToolSchema = { type: 'object', properties: { _tool: { const: 'small' } } }
      const { strict, oversized, tools: sent, usage } = lowerTools([withValue(value), small], api)
      expect(oversized).toEqual(isStrict ? [] : ['large'])
      expect(strict).toEqual(isStrict ? ['large', 'small'] : ['small'])
      const flags = sent.map((tool) => ((tool.function ?? tool) as { strict?: boolean }).strict === true)
      expect(flags).toEqual([isStrict, true])
      expect(usage.filter(({ status, severity }) => status === 'over' && severity === 'documented')).toEqual(
        [],
      )
    }
  })
})

describe('REQ-5b anthropic: strict where the budget allows', () => {
  const simple = (
    name: string,
    optional: number,
  ): { name: string; schema: ToolSchema; activity: string } => ({
    name,
    activity: name,
    schema: {
      type: 'object',
      properties: {
        _tool: { type: 'string', const: name },
        ...Object.fromEntries(
          Array.from({ length: optional }, (_, index) => [`p${index}`, { type: 'string' }]),
        ),
      },
      required: ['_tool'],
      additionalProperties: false,
    },
  })

  test.each([
    {
      name: '20 strict tools',
      given: Array.from({ length: 25 }, (_, index) => simple(`t${index + 10}`, 0)),
      want: 20,
    },
    {
      name: '24 optional properties',
      given: Array.from({ length: 10 }, (_, index) => simple(`t${index}`, 5)),
      want: 4,
    },
    { name: 'no limit in reach', given: [simple('a', 3), simple('b', 3)], want: 2 },
  ])('$name', ({ given, want }) => {
    const { strict, tools: sent, usage } = lowerTools(given, 'anthropic')
    expect(strict).toHaveLength(want)
    expect(sent.filter((tool) => tool.strict === true)).toHaveLength(want)
    expect(usage.filter(({ status }) => status === 'over')).toEqual([])
    expect(usage.find(({ limit }) => limit === 'strictTools')?.value).toBe(want)
  })

  test('the smallest are strict first, in any order of the Tools', () => {
    const given = [simple('large', 20), simple('small', 3), simple('middle', 10)]
    expect(lowerTools(given, 'anthropic').strict).toEqual(['small', 'middle'])
    expect(lowerTools([...given].reverse(), 'anthropic').strict).toEqual(['middle', 'small'])
    expect(lowerTools(given, 'anthropic', { strict: 'none' }).strict).toEqual([])
  })

  test('the schema of the answer that is sent with them counts too', () => {
    const given = [simple('large', 20), simple('small', 3)]
    const { schema } = lower(simple('answer', 4).schema, 'anthropic')
    const { strict, usage } = lowerTools(given, 'anthropic', { answerSchema: schema })
    expect(strict).toEqual(['small'])
    expect(usage.find(({ limit }) => limit === 'optionalParameters')).toMatchObject({ value: 7 })
    expect(lowerTools(given, 'anthropic').strict).toEqual(['large', 'small'])
  })

  test('in order: the first are strict, and Tools at the end change nothing for them', () => {
    const given = Array.from({ length: 25 }, (_, index) => simple(`t${index + 10}`, 0))
    const large = [simple('large', 2), ...given]
    const inOrder = lowerTools(large, 'anthropic', { strict: 'in-order' }).strict
    expect(inOrder).toEqual(['large', ...given.slice(0, 19).map(({ name }) => name)])
    expect(lowerTools(large, 'anthropic').strict).not.toContain('large')
    // Of those that are alike the names decide, and not where they stand.
    expect(lowerTools([...given].reverse(), 'anthropic').strict.toReversed()).toEqual(
      given.slice(0, 20).map(({ name }) => name),
    )
  })

  test('124 tools of an MCP server go out for every API within its documented limits', () => {
    for (const api of ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'mcp'] as const) {
      const { usage } = lowerTools(realTools(), api)
      expect(usage.filter(({ status, severity }) => status === 'over' && severity === 'documented')).toEqual(
        [],
      )
    }
  })
})

describe('REQ-5b Calls from answers', () => {
  const input = { _reasoningForCall: 'So.', text: 'hi', extra: [{ key: 'a', value: 1 }], by: null }
  const plain = { _reasoningForCall: 'So.', text: 'hi', extra: { a: 1 } }
  const answers: { api: NativeApi; name: string; answer: unknown; id: string | undefined }[] = [
    {
      api: 'openai-chat',
      name: 'a chat completion',
      answer: {
        choices: [
          {
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: 'c1',
                  type: 'function',
                  function: { name: 'Phrase__bold', arguments: JSON.stringify(input) },
                },
              ],
            },
          },
        ],
      },
      id: 'c1',
    },
    {
      api: 'openai-chat',
      name: 'its message',
      answer: {
        role: 'assistant',
        tool_calls: [{ id: 'c1', function: { name: 'Phrase__bold', arguments: JSON.stringify(input) } }],
      },
      id: 'c1',
    },
    {
      api: 'openai-responses',
      name: 'a response',
      answer: {
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'function_call', call_id: 'c2', name: 'Phrase__bold', arguments: JSON.stringify(input) },
        ],
      },
      id: 'c2',
    },
    {
      api: 'anthropic',
      name: 'a message with other capitals',
      answer: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me.' },
          { type: 'tool_use', id: 'c3', name: 'phrase__Bold', input: { ...input, by: undefined } },
        ],
      },
      id: 'c3',
    },
    {
      api: 'gemini',
      name: 'a response',
      answer: {
        candidates: [
          { content: { parts: [{ text: 'x' }, { functionCall: { name: 'Phrase__bold', args: plain } }] } },
        ],
      },
      id: undefined,
    },
    {
      api: 'mcp',
      name: 'call parameters',
      answer: { name: 'Phrase__bold', arguments: plain },
      id: undefined,
    },
  ]

  test.each(answers)('$api: $name', ({ api, answer, id }) => {
    const { callsFromAnswer } = lowerTools(tools, api, { definitions })
    // Through JSON, as it comes over the wire.
    expect(callsFromAnswer(JSON.parse(JSON.stringify(answer)))).toEqual([{ id, call }])
  })

  const { callsFromAnswer } = lowerTools(tools, 'openai-chat', { definitions })
  const message = (name: unknown, text: unknown): unknown => ({
    tool_calls: [
      { id: 'bad', function: { name, arguments: text } },
      { id: 'good', function: { name: 'Phrase__bold', arguments: '{"text":"ok"}' } },
    ],
  })

  test.each([
    { name: 'an unknown tool', given: message('Phrase__bald', '{}'), code: 'unknown_tool' },
    { name: 'a name from a prototype', given: message('constructor', '{}'), code: 'unknown_tool' },
    { name: 'cut JSON', given: message('Phrase__bold', '{"text":'), code: 'malformed_json' },
    { name: 'a list', given: message('Phrase__bold', '[1]'), code: 'invalid_call' },
  ])('one that cannot be read never stops the others: $name', ({ given, code }) => {
    expect(callsFromAnswer(given)).toMatchObject([
      { id: 'bad', error: { code } },
      { id: 'good', call: { _tool: 'Phrase.bold', text: 'ok' } },
    ])
  })

  const odd: { name: string; given: unknown; want: object[] }[] = [
    {
      name: 'calls beside a list of contents',
      given: { content: [{ type: 'text', text: 'Let me.' }], tool_calls: [] },
      want: [],
    },
    {
      name: 'an MCP call without arguments',
      given: { name: 'Phrase__bold' },
      want: [{ call: { _tool: 'Phrase.bold' } }],
    },
    { name: 'no message at all', given: { choices: [{}, { message: null }] }, want: [] },
    {
      name: 'calls of another kind, and none',
      given: { tool_calls: [null, 'x', { id: 'a' }, { id: 'b', function: 'x' }] },
      want: [],
    },
    { name: 'no parts', given: { candidates: [{}, { content: {} }, { content: { parts: 'x' } }] }, want: [] },
    {
      name: 'a Gemini call with an id and nothing else',
      given: { candidates: [{ content: { parts: [{ functionCall: { id: 'g', name: 'Phrase__bold' } }] } }] },
      want: [{ id: 'g', call: { _tool: 'Phrase.bold' } }],
    },
    {
      name: 'a name and an id that are no texts',
      given: { tool_calls: [{ id: 7, function: { name: 8, arguments: '{}' } }] },
      want: [{ id: undefined, error: { code: 'unknown_tool' } }],
    },
    ...[null, undefined, '', ' \n', 'null', '{}'].map((text) => ({
      name: `arguments ${JSON.stringify(text)}`,
      given: { tool_calls: [{ id: 'a', function: { name: 'Phrase__bold', arguments: text } }] },
      want: [{ id: 'a', call: { _tool: 'Phrase.bold' } }],
    })),
    {
      name: 'arguments that are an object of another kind',
      given: { content: [{ type: 'tool_use', id: 'a', name: 'Phrase__bold', input: [1] }] },
      want: [{ id: 'a', name: 'Phrase.bold', error: { code: 'invalid_call' } }],
    },
    {
      name: 'an unknown name, which is told',
      given: { tool_calls: [{ id: 'a', function: { name: 'nope', arguments: '{}' } }] },
      want: [{ id: 'a', name: 'nope', error: { code: 'unknown_tool' } }],
    },
  ]
  test.each(odd)('odd answers: $name', ({ given, want }) => {
    expect(callsFromAnswer(given)).toMatchObject(want)
    expect(callsFromAnswer(given)).toHaveLength(want.length)
  })

  test('of several choices, which are alternatives, the first that calls counts', () => {
    const calling = (text: string) => ({ id: text, function: { name: 'Phrase__bold', arguments: '{}' } })
    const choice = (...calls: object[]) => ({ message: { role: 'assistant', tool_calls: calls } })
    const choices = [choice(), choice(calling('a'), calling('b')), choice(calling('c'))]
    expect(callsFromAnswer({ choices }).map(({ id }) => id)).toEqual(['a', 'b'])
    const part = (id: string) => ({ content: { parts: [{ functionCall: { id, name: 'Phrase__bold' } }] } })
    expect(callsFromAnswer({ candidates: [part('a'), part('b')] }).map(({ id }) => id)).toEqual(['a'])
  })

  test('a name as it was declared goes before one in other capitals', () => {
    const named = (name: string) => ({
      name,
      activity: name,
      schema: { ...bold, properties: { _tool: { const: name } }, required: ['_tool'] },
    })
    const two = lowerTools([named('note'), named('NOTE')], 'openai-chat')
    const asked = (name: string) =>
      two.callsFromAnswer({ tool_calls: [{ function: { name, arguments: '{}' } }] })[0]?.call?._tool
    expect(['note', 'NOTE', 'Note'].map(asked)).toEqual(['note', 'NOTE', 'note'])
    const dotted = { tool_calls: [{ function: { name: 'Phrase.bold', arguments: '{}' } }] }
    expect(callsFromAnswer(dotted)[0]?.call?._tool).toBe('Phrase.bold')
  })

  test('unknown tools suggest the nearest', () => {
    expect(callsFromAnswer(message('Phrase__bald', '{}'))[0]?.error?.suggestions).toEqual(['Phrase__bold'])
  })

  test('the name decides the Tool, whatever the arguments say', () => {
    const [first] = callsFromAnswer({
      tool_calls: [{ function: { name: 'Phrase__bold', arguments: '{"_tool":"x","__proto__":{"y":1}}' } }],
    })
    expect(first?.call?._tool).toBe('Phrase.bold')
    expect(({} as { y?: unknown }).y).toBeUndefined()
  })

  const name = 'Phrase__bold'
  test.each<[NativeApi, (id: unknown, text: string) => object, (all: object[]) => object]>([
    [
      'openai-chat',
      (id, text) => ({ id, function: { name, arguments: JSON.stringify({ text }) } }),
      (tool_calls) => ({ choices: [{ message: { tool_calls } }] }),
    ],
    [
      'openai-responses',
      (call_id, text) => ({ type: 'function_call', call_id, name, arguments: JSON.stringify({ text }) }),
      (output) => ({ output: output.map((item, place) => ({ ...item, id: `item ${place}` })) }),
    ],
    [
      'anthropic',
      (id, text) => ({ type: 'tool_use', id, name, input: { text } }),
      (content) => ({ content }),
    ],
    [
      'gemini',
      (id, text) => ({ functionCall: { id, name, args: { text } } }),
      (parts) => ({ candidates: [{ content: { parts } }] }),
    ],
  ])(
    '%s: a call that stands twice with its id is one; without, or with other arguments, each is one',
    (api, part, answer) => {
      const given = ['a', 'b', 'a', '', '', undefined, undefined, 7, 7].map((id) => part(id, 'hi'))
      const { callsFromAnswer } = lowerTools(tools, api, { definitions })
      const read = callsFromAnswer(answer([...given, part('a', 'other')]))
      expect(read.map(({ id }) => id)).toEqual([
        ...['a', 'b', '', '', undefined, undefined, undefined, undefined],
        'a',
      ])
      expect(read.at(-1)?.call).toMatchObject({ text: 'other' })
    },
  )

  test('no calls are none; what is no answer is an error', () => {
    expect(callsFromAnswer({ role: 'assistant', content: 'Hello' })).toEqual([])
    expect(callsFromAnswer({ choices: [{ message: { content: 'Hello' } }] })).toEqual([])
    expect(callsFromAnswer({ output: [] })).toEqual([])
    for (const nothing of ['text', null, {}, 7]) {
      expect(() => callsFromAnswer(nothing)).toThrow(expect.objectContaining({ code: 'invalid_call' }))
    }
  })
})
