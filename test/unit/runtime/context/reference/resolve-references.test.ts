import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { literal } from '../../../../../runtime/context/literal.ts'
import type { Call, Message } from '../../../../../runtime/context/message.ts'
import {
  type ReferenceOptions,
  resolveReferences,
} from '../../../../../runtime/context/resolve-references.ts'
import { readerOf } from '../../../../../runtime/context/state.ts'
import type { CallError } from '../../../../../runtime/errors.ts'

const messages: Message[] = [
  {
    type: 'state',
    state: {
      a: 1,
      list: [1, 2],
      user: { name: 'Alex' },
      no: false,
      nothing: null,
      secret: 's',
      username: 'Alex',
    },
  },
  { type: 'input', input: { text: '†state.secret' } },
  { type: 'state', state: { a: 2 }, _instance: 'b' },
]

function resolve(call: object, options?: ReferenceOptions): Call {
  return resolveReferences({ _tool: 'x', ...call }, readerOf(messages), options)
}

function failure(call: object, options?: ReferenceOptions): CallError {
  try {
    resolve(call, options)
  } catch (error) {
    return error as CallError
  }
  throw new Error('resolved, against expectation')
}

describe('resolveReferences', () => {
  const cases: { title: string; given: object; want: object; options?: ReferenceOptions }[] = [
    { title: 'REF-1 a whole value', given: { p: '†state.a' }, want: { p: 1 } },
    { title: 'REF-1 at any depth', given: { p: [{ q: '†state.list' }] }, want: { p: [{ q: [1, 2] }] } },
    { title: 'REF-1 a † inside is text', given: { p: 'see †state.a' }, want: { p: 'see †state.a' } },
    { title: 'REF-1 †† escapes', given: { p: '††state.a', q: ['†††'] }, want: { p: '†state.a', q: ['††'] } },
    { title: 'REF-1 prose is text', given: { p: '† see the footnote' }, want: { p: '† see the footnote' } },
    { title: 'REF-1 resolved once', given: { p: '†input.text' }, want: { p: '†state.secret' } },
    {
      title: 'REF-1 not in meta-fields',
      given: { _output: '†state.a', _instance: 'b' },
      want: { _output: '†state.a', _instance: 'b' },
    },
    {
      title: 'TOOL-2 underscore parameters are parameters',
      given: { _from: '†state.a', _to: '†state.a' },
      want: { _from: 1, _to: '†state.a' },
      options: { parameters: ['_from'] },
    },
    {
      title: 'REF-2 false and null are present',
      given: { p: '†state.no', q: '†state.nothing' },
      want: { p: false, q: null },
    },
    {
      title: 'INST-1 as the instance sees it',
      given: { p: '†state.a', q: '†state.user.name', _instance: 'b' },
      want: { p: 2, q: 'Alex', _instance: 'b' },
    },
    {
      title: 'REF-1 switched off',
      given: { p: '†state.a', q: '††' },
      want: { p: '†state.a', q: '††' },
      options: { references: false },
    },
    {
      title: 'REF-1 literal protects',
      given: { p: literal('†state.a'), q: literal('plain') },
      want: { p: '†state.a', q: 'plain' },
    },
    {
      title: 'REF-1a within the scopes',
      given: { p: '†state.user.name' },
      want: { p: 'Alex' },
      options: { scopes: ['†state.user'] },
    },
    {
      title: 'REF-1a an alternative out of scope is absent',
      given: { p: '†state.secret || †state.a' },
      want: { p: 1 },
      options: { scopes: ['†state.a'] },
    },
    {
      title: 'REF-1a the run narrows',
      given: { p: '†input.text' },
      want: { p: '†state.secret' },
      options: { scopes: ['input', 'state'], references: ['input'] },
    },
  ]
  test.each(cases)('$title', ({ given, want, options }) => {
    expect(resolve(given, options)).toEqual({ _tool: 'x', ...want })
  })

  test('a Call without References comes back itself', () => {
    const call = { _tool: 'x', p: 'text', q: [1, { r: '† prose' }], n: null }
    expect(resolveReferences(call, readerOf(messages))).toBe(call)
  })

  test('REF-4 values are copies, and the Call is not touched', () => {
    const call = { _tool: 'x', p: '†state.user', q: { r: '†state.list' } }
    const resolved = resolveReferences<Call>(call, readerOf(messages))
    ;(resolved.p as { name: string }).name = 'Kim'
    expect(messages[0]).toHaveProperty('state.user.name', 'Alex')
    expect(call).toEqual({ _tool: 'x', p: '†state.user', q: { r: '†state.list' } })
  })

  test('REF-3 every Reference that is not present is named', () => {
    const { code, problems } = failure({ a: '†state.x', 'b/c': [0, '†input.y'], ok: '†state.a' })
    expect(code).toBe('unresolved_reference')
    expect(problems?.map(({ path }) => path)).toEqual(['/a', '/b~1c/1'])
  })

  test.each<[value: string, suggestions: string[] | undefined]>([
    ['†state.usr.name', ['†state.user.name']],
    ['†state.user.nmae', ['†state.user.name']],
    ['†state.a && †state.user.names || †state.x', ['†state.user.name']],
    // What would lead nowhere either, or stands in what is no object, is no help.
    ['†state.usr.age', undefined],
    ['†state.user.name.first', undefined],
    ['†state.zebra', undefined],
    ['†inptu.text', undefined],
  ])('REF-3 of %s the paths next to it are suggested: %j', (value, suggestions) => {
    const error = failure({ value })
    expect(error.suggestions).toEqual(suggestions)
    const sentence = suggestions ? `; did you mean ${suggestions[0]}? For text` : 'nothing is there. For text'
    expect(error.message).toContain(sentence)
  })

  test('OUT-8 a reserved name is an invalid path', () => {
    const { code, problems } = failure({ a: '†state.constructor.name', b: '†state.x' })
    expect(code).toBe('invalid_path')
    expect(problems?.map(({ path }) => path)).toEqual(['/a', '/b'])
  })

  test.each([
    { options: { scopes: ['†state.user'] }, value: '†state' },
    { options: { scopes: ['†state.user'] }, value: '†state.username' },
    { options: { scopes: [] }, value: '†state.a' },
    { options: { references: [] }, value: '†state.a' },
    { options: { scopes: ['state'], references: ['input'] }, value: '†state.a' },
  ])('REF-1a $value does not go around $options', ({ options, value }) => {
    const error = failure({ value }, options)
    expect(error.code).toBe('unresolved_reference')
    expect(JSON.stringify(error)).not.toContain('Alex')
    expect(error.suggestions).toBeUndefined()
  })

  test('CALL-1 hostile Calls are refused, not crashed on', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 10_000; level++) deep = [deep]
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const throwing = Object.defineProperty({}, 'p', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect(failure({ deep }).code).toBe('invalid_call')
    expect(failure({ p: ['†state.a', deep] }).message).toContain('deeper than 1000 levels')
    expect(failure({ cyclic }).code).toBe('invalid_call')
    expect(failure({ throwing }).code).toBe('invalid_call')
  })

  test('OUT-8 __proto__ as a parameter pollutes nothing', () => {
    const call = JSON.parse('{"_tool":"x","__proto__":{"p":1},"q":{"__proto__":"†state.a"}}') as Call
    const resolved = resolveReferences(call, readerOf(messages))
    expect(Object.getPrototypeOf(resolved)).toBe(Object.prototype)
    expect(JSON.stringify(resolved)).toBe('{"_tool":"x","__proto__":{"p":1},"q":{"__proto__":1}}')
    expect(({} as { p?: unknown }).p).toBeUndefined()
  })
})

test('REF-1 literal text always arrives as it was', () => {
  const text = fc.string({ unit: fc.constantFrom('†', 's', '.', ' ', "'", '|') })
  fc.assert(
    fc.property(text, (given) => {
      expect(resolve({ p: [literal(given)] }).p).toEqual([given])
    }),
  )
})

test.each<[string, unknown, string]>([
  ['a Date', new Date(0), '†state.due'],
  ['a Map, further in', { all: [new Map()] }, '†state'],
  ['a number without end', Number.NaN, '†state.due'],
])('what a list of Messages holds and JSON does not is not read in silence: %s', (_what, due, text) => {
  const reader = readerOf([
    { type: 'state', state: { due } },
    { type: 'state', state: { other: 1 } },
  ])
  expect(resolveReferences({ _tool: 'x', a: '†state.other' }, reader)).toMatchObject({ a: 1 })
  expect(() => resolveReferences({ _tool: 'x', a: text }, reader)).toThrow(
    expect.objectContaining({ code: 'invalid_message', message: expect.stringContaining(text) }),
  )
})
