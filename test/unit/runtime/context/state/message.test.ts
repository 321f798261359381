import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../../runtime/context/message.ts'
import { dataOf, isDataMessage, messageKind } from '../../../../../runtime/context/message.ts'
import { isMarkedMessage } from '../../../../../runtime/context/message-mark.ts'
import { isMessage, message } from '../../../../../runtime/context/well-formed-message.ts'

const wellFormed: { value: Message; kind: string; holds: unknown }[] = [
  { value: { type: 'text', text: 'hi' }, kind: 'text', holds: 'hi' },
  { value: { type: 'text', role: 'user', text: 'hi', _instance: 'a' }, kind: 'text', holds: 'hi' },
  { value: { type: 'data', data: null }, kind: 'data', holds: null },
  {
    value: { type: 'data', kind: 'audit', data: [1], schema: true, description: 'd', _date: '2026-01-01' },
    kind: 'audit',
    holds: [1],
  },
  {
    value: {
      type: 'data',
      kind: 'state',
      data: 1,
      _path: '†state.a',
      _outputMethod: 'push',
      _call: { _tool: 'x' },
    },
    kind: 'state',
    holds: 1,
  },
  { value: { type: 'input', input: { a: 1 }, schema: {} }, kind: 'input', holds: { a: 1 } },
  { value: { type: 'state', state: 0 }, kind: 'state', holds: 0 },
  { value: { type: 'tool', tool: { type: 'object' } }, kind: 'tool', holds: { type: 'object' } },
  { value: { type: 'plan', plan: [{ _tool: 'x' }], mode: 'lazy' }, kind: 'plan', holds: [{ _tool: 'x' }] },
  {
    value: { type: 'error', data: { call: { _tool: 'x' }, error: { code: 'c', message: 'm' } } },
    kind: 'error',
    holds: { call: { _tool: 'x' }, error: { code: 'c', message: 'm' } },
  },
]

const malformed: { title: string; value: unknown }[] = [
  { title: 'nothing', value: undefined },
  { title: 'null', value: null },
  { title: 'a list', value: [{ type: 'text', text: 'x' }] },
  { title: 'no type', value: { text: 'x' } },
  { title: 'another type', value: { type: 'image', url: 'x' } },
  { title: 'a type out of a prototype', value: { type: 'toString' } },
  { title: 'an inherited type', value: Object.create({ type: 'text', text: 'x' }) },
  { title: 'an inherited field', value: Object.assign(Object.create({ text: 'x' }), { type: 'text' }) },
  { title: 'a field too many', value: { type: 'text', text: 'x', annotations: [] } },
  { title: 'a field too few', value: { type: 'data', kind: 'state' } },
  { title: 'data that is undefined', value: { type: 'data', data: undefined } },
  { title: 'a text that is none', value: { type: 'text', text: 1 } },
  { title: 'an unknown method', value: { type: 'data', data: 1, _outputMethod: 'pop' } },
  { title: 'a path with alternatives', value: { type: 'data', data: 1, _path: '†a || †b' } },
  { title: 'a reserved path', value: { type: 'data', data: 1, _path: '†a.__proto__' } },
  { title: 'a _call without a Tool', value: { type: 'data', data: 1, _call: {} } },
  { title: 'a plan of other things', value: { type: 'plan', plan: ['x'] } },
  { title: 'an error without a code', value: { type: 'error', data: { call: {}, error: { message: 'm' } } } },
  { title: 'a __proto__ of its own', value: JSON.parse('{"type":"text","text":"x","__proto__":{}}') },
  {
    title: 'a getter that throws',
    value: {
      type: 'text',
      get text(): string {
        throw new Error('no')
      },
    },
  },
]

describe('isMessage', () => {
  test.each(wellFormed)('Words: $value', ({ value, kind, holds }) => {
    expect(isMessage(value)).toBe(true)
    expect(messageKind(value)).toBe(kind)
    expect(dataOf(value)).toEqual(holds)
    expect(isDataMessage(value)).toBe(['data', 'input', 'state'].includes(value.type))
  })

  test('Words: a member that is undefined is none, as in JSON', () => {
    expect(isMessage({ type: 'text', text: 'x', role: undefined, _instance: undefined })).toBe(true)
  })

  test.each(malformed)('Words: $title is no Message', ({ value }) => {
    expect(isMessage(value)).toBe(false)
  })
})

describe('message()', () => {
  test('ACT-6 marks a copy, visible to every copy of the package and to no JSON', () => {
    const given: Message = { type: 'text', text: 'x' }
    const made = message(given)
    expect(isMarkedMessage(made)).toBe(true)
    expect(isMarkedMessage(given)).toBe(false)
    expect(Object.getOwnPropertySymbols(made)).toEqual([Symbol.for('callsheet.message')])
    expect(JSON.stringify(made)).toBe(JSON.stringify(given))
    expect(Object.keys(made)).toEqual(Object.keys(given))
  })

  test('what is none is refused, with every problem', () => {
    const wrong = { type: 'text', txet: 'x', role: 1 } as unknown as Message
    expect(() => message(wrong)).toThrow(
      expect.objectContaining({
        code: 'invalid_message',
        problems: ['/text', '/txet', '/role'].map((path) => expect.objectContaining({ path })),
      }),
    )
  })

  test.each([null, undefined, 1, 'x', {}])('%j is not marked', (value) => {
    expect(isMarkedMessage(value)).toBe(false)
  })
})
