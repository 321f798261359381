import { createRegistry, lowerTools, tool } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../runtime/json/json.ts'
import { asMeant } from '../../../runtime/native/meant-arguments.ts'

const integer = { type: 'integer' }
const ids = { type: 'array', items: integer }
const place = { type: 'object', properties: { city: { type: 'string' }, floor: integer }, required: ['city'] }

const book = tool('book', {
  nights: { type: 'integer', minimum: 1 },
  code: { type: 'string' },
  discount: { type: ['number', 'null'] },
  late: { type: 'boolean' },
  ids,
  place: { anyOf: [place, { type: 'null' }] },
  tag: { type: ['string', 'integer'] },
})
const right = { nights: 2, code: '7', discount: null, late: false, ids: [1], place: null, tag: 'a' }

/** What is called if a server sends these arguments beside right ones. */
function called(given: JsonObject, options: { readonly strict?: 'none' } = {}) {
  const [only] = lowerTools([book], 'openai-chat', options).callsFromAnswer({
    name: 'book',
    arguments: JSON.stringify({ ...right, ...given }),
  })
  const { _tool, ...parameters } = only?.call ?? {}
  return parameters
}

describe('REQ-5b arguments that a server or model wrote as JSON text', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a number', { nights: '2', discount: '0.5' }, { nights: 2, discount: 0.5 }],
    ['null', { discount: 'null' }, { discount: null }],
    ['a flag', { late: 'true' }, { late: true }],
    ['a list', { ids: '[1, 2]' }, { ids: [1, 2] }],
    ['an object', { place: '{"city":"Oslo"}' }, { place: { city: 'Oslo' } }],
    ['what is in a list', { ids: ['1', '2'] }, { ids: [1, 2] }],
    ['what is in what is quoted', { place: '{"city":"5","floor":"5"}' }, { place: { city: '5', floor: 5 } }],
    ['a list of quoted ones, quoted', { ids: '["1"]' }, { ids: [1] }],
  ])('are read as that: %s', (_what, given, want) => {
    expect(called(given)).toEqual({ ...right, ...want })
    expect(called(given, { strict: 'none' })).toEqual({ ...right, ...want })
  })

  test.each<[string, JsonObject]>([
    ['what may be a text', { code: '5' }],
    ['what may be either', { tag: '5' }],
    ['what is no JSON', { nights: 'two', ids: '[1', place: 'Oslo' }],
    ['what does not fit either', { nights: '0', late: '1', discount: '[1]' }],
    ['more digits than a number has', { nights: '12345678901234567890' }],
    ['a digit more than a number has', { nights: '9007199254740993' }],
    ['a list that is too deep', { ids: '['.repeat(9_999) + ']'.repeat(9_999) }],
    ['what is a text within quotes', { nights: '"2"' }],
  ])('stay as they came: %s', (_what, given) => {
    expect(called(given)).toEqual({ ...right, ...given })
  })

  test('what else is wrong in them is said of what they mean', async () => {
    const { Tool, Activity } = createRegistry({ tools: { book } })
    Activity.register('book', () => undefined)
    const { error } = await Tool.run({ _tool: 'book', ...called({ place: '{"floor":1}', late: 'yes' }) })
    expect(error?.message).toMatch(/\/late: .* got "yes"; \/place\/city: expected a string, got nothing\.$/)
  })

  test.each(['openai-chat', 'anthropic', 'gemini'] as const)(
    'a Reference stays one, and a value beside it needs no quotes: %s',
    (api) => {
      const show = tool('show', { count: integer })
      const find = tool('find', { _outputPath: { type: 'string' }, _output: integer })
      const native = lowerTools([show, find], api, { references: 'auto' })
      const counts = ['†state.count', '5'].map((count) => {
        const [only] = native.callsFromAnswer({ name: 'show', arguments: { count } })
        return only?.call?.count
      })
      expect(counts).toEqual(['†state.count', 5])
    },
  )

  test.each(['openai-chat', 'gemini'] as const)(
    'what a dialect sends in another form is read in its own as well: %s',
    (api) => {
      const count = tool('count', { words: { type: 'object', additionalProperties: integer } })
      const [only] = lowerTools([count], api).callsFromAnswer({
        name: 'count',
        arguments: { words: '{"a":"1"}' },
      })
      expect(only?.call).toEqual({ _tool: 'count', words: { a: 1 } })
    },
  )

  test.each([false, true])('REQ-7 run as they are read, streamed: %s', async (stream) => {
    const { Tool, Activity } = createRegistry({ tools: { book } })
    const ran: unknown[] = []
    Activity.register('book', ({ nights, place: where }) => void ran.push([nights, where]))
    const function_ = {
      name: 'book',
      arguments: JSON.stringify({ ...right, nights: '3', place: '{"city":"Rome"}' }),
    }
    const call = { index: 0, id: 'a', type: 'function', function: function_ }
    const asked = [{ tool_calls: [call] }, { content: '{"output":"done"}' }]
    const create = async () => {
      const message = asked.shift()
      const finish_reason = message?.tool_calls ? 'tool_calls' : 'stop'
      if (!stream) return { choices: [{ index: 0, message, finish_reason }] }
      return (async function* () {
        yield { choices: [{ index: 0, delta: message, finish_reason: null }] }
        yield { choices: [{ index: 0, delta: {}, finish_reason }] }
      })()
    }
    const { output } = await Agent<string>({
      model: 'm',
      client: { chat: { completions: { create } } },
      tools: Tool,
      output: { type: 'string' },
      mode: 'native',
      stream,
      early: 'all',
    })
    expect(output).toBe('done')
    expect(ran).toEqual([[3, { city: 'Rome' }]])
  })
})

describe('REQ-5 null for what may be absent', () => {
  const text = { type: 'string' }
  const guest = {
    type: 'object',
    properties: { name: text, age: integer, note: { type: ['string', 'null'] } },
    required: ['name'],
    additionalProperties: false,
  }
  const invite = {
    ...tool('invite', {
      to: text,
      from: text,
      guest,
      guests: { type: 'array', items: guest },
      kind: { anyOf: [{ type: 'string', enum: ['small'] }, integer] },
      labels: { type: 'object', additionalProperties: text },
      any: {},
    }),
    required: ['_tool', 'to'],
  }
  const invited = (given: JsonObject, api: 'openai-chat' | 'anthropic' | 'gemini' | 'mcp') => {
    const [only] = lowerTools([invite], api).callsFromAnswer({ name: 'invite', arguments: given })
    const { _tool, ...parameters } = only?.call ?? {}
    return parameters
  }

  test.each(['openai-chat', 'anthropic', 'gemini', 'mcp'] as const)('is left out: %s', (api) => {
    const given = {
      to: 'Ada',
      from: null,
      guest: { name: 'Bob', age: null, note: null },
      guests: [
        { name: 'Cy', age: null },
        { name: 'Di', age: '5' },
      ],
      kind: null,
    }
    expect(invited(given, api)).toEqual({
      to: 'Ada',
      guest: { name: 'Bob', note: null },
      guests: [{ name: 'Cy' }, { name: 'Di', age: 5 }],
    })
  })

  test.each<[string, JsonObject]>([
    ['where a value is required', { to: null, guest: { name: null } }],
    ['in a record, where it may mean to delete an entry', { to: 'Ada', labels: { old: null, new: 'x' } }],
    ['in a list', { to: 'Ada', guests: [null] }],
    ['in a property that is not declared', { to: 'Ada', guest: { name: 'Bob', nmae: null } }],
  ])('stays %s', (_what, given) => {
    for (const api of ['gemini', 'mcp'] as const) expect(invited(given, api)).toEqual(given)
  })

  test('stays where the schema takes it', () => {
    expect(invited({ to: 'Ada', any: null }, 'mcp')).toEqual({ to: 'Ada', any: null })
  })

  test.each(['openai-chat', 'anthropic', 'gemini', 'mcp'] as const)(
    'is left out as a text too: %s',
    (api) => {
      const guest = { name: 'null', age: 'null', note: 'null' }
      expect(invited({ to: 'null', guest, guests: 'null', kind: 'null' }, api)).toEqual({
        to: 'null',
        guest: { name: 'null', note: 'null' },
      })
    },
  )

  test('stays a text where a value is required, and in a record or a list', () => {
    const given = { to: 'Ada', guests: ['null'], labels: { old: 'null' }, guest: 'null', kind: ' null ' }
    expect(invited(given, 'mcp')).toEqual({ to: 'Ada', guests: ['null'], labels: { old: 'null' } })
    expect(asMeant({ n: 'null' }, { properties: { n: integer }, required: ['n'] })).toEqual({ n: 'null' })
    expect(asMeant({ n: 'null' }, { additionalProperties: integer })).toEqual({ n: 'null' })
    expect(asMeant({ n: 'null' }, { properties: { n: { type: ['integer', 'null'] } } })).toEqual({ n: null })
  })
})
