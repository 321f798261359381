import { describe, expect, test } from 'vitest'
import { appendAll } from '../../../../../runtime/context/append-all.ts'
import { createContext } from '../../../../../runtime/context/context.ts'
import { checkInstance, instancesOf } from '../../../../../runtime/context/instances.ts'
import type { Message } from '../../../../../runtime/context/message.ts'
import { readerOf } from '../../../../../runtime/context/state.ts'

const text = (value: string): Message => ({ type: 'text', text: value })

describe('createContext', () => {
  test('keeps the order, and takes any iterable', () => {
    const context = createContext(new Set([text('a'), text('b')]))
    context.append(text('c'), text('d'))
    expect(context.messages).toEqual([text('a'), text('b'), text('c'), text('d')])
  })

  test('ACT-8 what was given can change afterwards, what is held cannot', () => {
    const user = { name: 'Alex' }
    const given: Message[] = [{ type: 'state', state: { user } }]
    const context = createContext(given)
    user.name = 'Kim'
    given.pop()
    expect(context.read('†state.user.name')).toBe('Alex')
    expect(() => Object.assign(context.messages[0] as object, { state: {} })).toThrow(TypeError)
  })

  test('appends all or nothing', () => {
    const context = createContext()
    const wrong = { type: 'text', txet: 'x' } as unknown as Message
    expect(() => context.append(text('a'), wrong)).toThrow(
      expect.objectContaining({
        code: 'invalid_message',
        problems: [
          expect.objectContaining({ path: '/1/text' }),
          expect.objectContaining({
            path: '/1/txet',
            message: '/1/txet: no such property; did you mean "text"?',
          }),
        ],
      }),
    )
    expect(context.messages).toEqual([])
  })

  test('tells of every Message that is none', () => {
    const provider = [{ role: 'user', content: 'Hi' }, text('a'), { type: 'state', data: {} }]
    expect(() => createContext(provider as unknown as Message[])).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^Message 0 of the list is not .+ Message 2 of the list is not /),
        problems: [{ path: '/0/type' }, { path: '/2/state' }, { path: '/2/data' }].map((problem) =>
          expect.objectContaining(problem),
        ),
      }),
    )
  })

  test('a cyclic Message is refused', () => {
    const data: { self?: unknown } = {}
    data.self = data
    expect(() => createContext([{ type: 'data', data }])).toThrow(
      expect.objectContaining({ code: 'invalid_call' }),
    )
  })

  test.each<[string, unknown]>([
    ['a Date', new Date(0)],
    ['a Map', new Map([['a', 1]])],
    ['bytes', new Uint8Array([1])],
    ['a number without end', Number.NaN],
    ['a hole in a list', [1, undefined]],
    ['a function', () => 1],
  ])('%s, of which a copy would be something else, is refused with its place', (_what, due) => {
    const shapes: Message[] = [
      { type: 'data', data: { task: { due } } },
      { type: 'state', state: { task: { due } } },
      { type: 'input', input: { task: { due } } },
    ]
    for (const message of shapes) {
      const path = expect.stringMatching(`^/0/${message.type}/task/due`)
      expect(() => createContext([message])).toThrow(
        expect.objectContaining({ code: 'invalid_message', problems: [expect.objectContaining({ path })] }),
      )
    }
  })

  test.each(['state.user', 'hello', '††state'])('read(%j) says that this is no Reference', (reference) => {
    expect(() => createContext().read(reference)).toThrow(expect.objectContaining({ code: 'invalid_path' }))
  })
})

test('appendAll appends to a Context, of whatever make, and leaves an array alone', () => {
  const context = createContext()
  appendAll(context, [text('a'), text('b')])
  expect(context.messages).toEqual([text('a'), text('b')])
  const wrong = { type: 'text' } as unknown as Message
  expect(() => appendAll(context, [text('c'), wrong])).toThrow('Message 1 of those to append')
  expect(context.messages).toHaveLength(2)

  const appended: Message[] = []
  const foreign = {
    messages: [],
    append: (...all: readonly Message[]) => void appended.push(...all),
    read: () => 1,
  }
  appendAll(foreign, [text('a'), text('b')])
  expect(appended).toEqual([text('a'), text('b')])

  const list = Object.freeze([text('a')])
  appendAll(list, [text('b')])
  appendAll(undefined, [text('b')])
  expect(list).toHaveLength(1)
})

test('a Context of another copy of the package is read by its Messages', () => {
  const foreign = { messages: [{ type: 'state', state: { a: 1 } }] satisfies Message[] }
  expect(readerOf(foreign).read({ kind: 'state', segments: ['a'] })).toBe(1)
})

describe('instances', () => {
  const messages: Message[] = [
    { ...text('a'), _instance: 'b' },
    { type: 'state', state: 1, _instance: 'a' },
    { type: 'state', state: 1, _instance: 'b' },
    text('c'),
  ]

  test('INST-3 in order of appearance, whatever the Message', () => {
    expect(instancesOf(messages)).toEqual(['b', 'a'])
  })

  test.each(['array', 'Context'])('INST-3 an unknown one is an error, in an %s', (form) => {
    const reader = readerOf(form === 'array' ? messages : createContext(messages))
    expect(() => checkInstance(reader, 'a')).not.toThrow()
    expect(() => checkInstance(reader, undefined)).not.toThrow()
    for (const unknown of ['z', 'toString', '__proto__', '']) {
      expect(() => checkInstance(reader, unknown)).toThrow(
        expect.objectContaining({ code: 'unknown_instance' }),
      )
    }
  })
})
