import { describe, expect, test } from 'vitest'
import { createContext } from '../../../../../runtime/context/context.ts'
import type { Call, Message } from '../../../../../runtime/context/message.ts'
import {
  outputPathOf,
  takenBranch,
  writeFailure,
  writeOutput,
} from '../../../../../runtime/context/output-path.ts'
import { parseOutputPath } from '../../../../../runtime/context/reference.ts'

const date = '2026-01-02T03:04:05.678Z'

function call(path: string, rest: object = {}): Call {
  return { _tool: 'sum', a: 1, _outputPath: path, ...rest }
}

function write(given: Call, output: unknown): Message[] {
  return writeOutput(given, parseOutputPath(given._outputPath as string), output, date)
}

function fail(given: Call, thrown: unknown): Message[] {
  return writeFailure(given, parseOutputPath(given._outputPath as string), thrown, date)
}

describe('outputPathOf', () => {
  test('OUT-1 none', () => {
    expect(outputPathOf({ _tool: 'x' })).toBeUndefined()
    expect(outputPathOf(Object.create({ _outputPath: '†state' }))).toBeUndefined()
  })

  test.each(['†state.__proto__.x', 'a b', '', '†state.a ||'])(
    'OUT-8 %j is refused before anything runs',
    (path) => {
      expect(() => outputPathOf(call(path))).toThrow(expect.objectContaining({ code: 'invalid_path' }))
    },
  )
})

describe('writeOutput', () => {
  test('OUT-2 one Message that says what, where, when and by whom', () => {
    const given = call('†state.user.name', { _outputMethod: 'push', _instance: 'i' })
    expect(write(given, 3)).toEqual([
      {
        type: 'data',
        kind: 'state',
        data: { user: { name: 3 } },
        _call: given,
        _date: date,
        _path: '†state.user.name',
        _outputMethod: 'push',
        _instance: 'i',
      },
    ])
  })

  test.each([
    { rule: 'OUT-2 a whole kind', path: '†state', want: [{ kind: 'state', data: 3, _path: '†state' }] },
    {
      rule: 'OUT-2 no †',
      path: 'a.b',
      want: [{ kind: 'state', data: { a: { b: 3 } }, _path: '†state.a.b' }],
    },
    {
      rule: 'OUT-8 quoted',
      path: "†audit.'odd key'",
      want: [{ kind: 'audit', data: { 'odd key': 3 }, _path: "†audit.'odd key'" }],
    },
    { rule: 'OUT-8 an index', path: '†state.l.0', want: [{ kind: 'state', data: { l: { 0: 3 } } }] },
    {
      rule: 'OUT-5 fan-out',
      path: '†state.a && †audit.a',
      want: [
        { kind: 'state', data: { a: 3 } },
        { kind: 'audit', data: { a: 3 } },
      ],
    },
    {
      rule: 'OUT-6 the first alternative',
      path: '†state.ok || †state.bad',
      want: [{ kind: 'state', data: { ok: 3 } }],
    },
  ])('$rule', ({ path, want }) => {
    expect(write(call(path), 3)).toEqual(want.map((each) => expect.objectContaining(each)))
  })

  test('ACT-8 output and Call are copied', () => {
    const output = { list: [1] }
    const given = call('†state.a && †state.b')
    const [first, second] = write(given, output)
    output.list.push(2)
    given.a = 2
    expect(first).toHaveProperty('data.a.list', [1])
    expect(first).toHaveProperty('_call.a', 1)
    expect(first).not.toBe(second)
  })

  test('OUT-2 nothing is written as null, which is present', () => {
    expect(createContext(write(call('†state.done'), undefined)).read('†state.done')).toBeNull()
  })

  test.each(['then', 'toString', 'hasOwnProperty'])('OUT-8 %s is a name like any other', (name) => {
    const context = createContext(write(call(`†state.${name}`), 3))
    expect(context.read(`†state.${name}`)).toBe(3)
    expect(context.read('†state')).toEqual({ [name]: 3 })
  })
})

describe('writeFailure', () => {
  class PaymentError extends Error {
    override name = 'PaymentError'
    code = 'E_CARD'
  }
  test.each([
    {
      title: 'its own code',
      thrown: new PaymentError('no'),
      want: { name: 'PaymentError', code: 'E_CARD', message: 'no' },
    },
    {
      title: 'no code',
      thrown: new TypeError('no'),
      want: { name: 'TypeError', code: 'activity_failed', message: 'no' },
    },
    {
      title: 'a number',
      thrown: Object.assign(new Error('no'), { code: 404 }),
      want: { name: 'Error', code: 404, message: 'no' },
    },
    { title: 'text', thrown: 'no', want: { name: 'Error', code: 'activity_failed', message: 'no' } },
    {
      title: 'an odd object',
      thrown: { message: { toString: 1 } },
      want: { name: 'Error', code: 'activity_failed' },
    },
    { title: 'nothing', thrown: undefined, want: { name: 'Error', code: 'activity_failed' } },
  ])('OUT-6 the last alternative gets the failure: $title', ({ thrown, want }) => {
    const [only, ...others] = fail(call('†state.a || †state.b || †audit.bad', { _instance: 'i' }), thrown)
    expect(others).toEqual([])
    expect(only).toMatchObject({ kind: 'audit', data: { bad: want }, _path: '†audit.bad', _instance: 'i' })
  })

  test('OUT-6 nothing without an alternative', () => {
    expect(fail(call('†state.a && †state.b'), new Error('no'))).toEqual([])
  })
})

describe('takenBranch', () => {
  const path = parseOutputPath('†state.ok && †audit.ok || †state.bad')
  test.each<{ title: string; message: Message; want: unknown }>([
    {
      title: 'the first',
      message: { type: 'data', kind: 'state', data: { ok: 1 } },
      want: { alternative: 0, value: 1 },
    },
    {
      title: 'a path of a conjunction',
      message: { type: 'data', kind: 'audit', data: { ok: 2 } },
      want: { alternative: 0, value: 2 },
    },
    {
      title: 'another',
      message: { type: 'state', state: { bad: { why: 3 } } },
      want: { alternative: 1, value: { why: 3 } },
    },
    {
      title: 'by its _path',
      message: { type: 'data', kind: 'state', data: { ok: 1, bad: 2 }, _path: '†state.bad' },
      want: { alternative: 1, value: 2 },
    },
    { title: 'none', message: { type: 'data', kind: 'state', data: { other: 1 } }, want: undefined },
    {
      title: 'none of this kind',
      message: { type: 'data', kind: 'input', data: { ok: 1 } },
      want: undefined,
    },
    { title: 'no data', message: { type: 'text', text: 'x' }, want: undefined },
  ])('OUT-7 $title', ({ message, want }) => {
    expect(takenBranch(path, message)).toEqual(want)
  })
})
