import fc from 'fast-check'
import type { Message } from '../../../../../runtime/context/message.ts'
import { nest } from '../../../../../runtime/context/write.ts'

/** Few names, so that random writes meet; some of them hostile, some list indexes. */
const names = ['a', 'b', 'toString', '0', '1']

export const segments: fc.Arbitrary<string[]> = fc.array(fc.constantFrom(...names), { maxLength: 3 })
export const instance: fc.Arbitrary<string | undefined> = fc.constantFrom(undefined, 'i', 'then')
export const kind: fc.Arbitrary<string> = fc.constantFrom('state', 'input', 'audit')

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, false, 0, ''),
    fc.integer({ min: 1, max: 9 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const method = fc.constantFrom('set', 'set', 'merge', 'assign', 'push', 'concat')

interface Parts {
  kind: string
  segments: string[]
  other: string[]
  value: unknown
  method: string
  instance: string | undefined
  form: string
}

/** A Message of any form that can write: a patch, a path, what a Call wrote, a short form; and some that cannot. */
export const message: fc.Arbitrary<Message> = fc
  .record({
    kind,
    segments,
    other: segments,
    value,
    method,
    instance,
    form: fc.constantFrom('patch', 'path', 'path', 'call', 'alternatives', 'short', 'text'),
  })
  .map((parts) => JSON.parse(JSON.stringify(messageOf(parts))) as Message)

export const log: fc.Arbitrary<Message[]> = fc.array(message, { maxLength: 12 })

function messageOf({ kind, segments, other, value, method, instance, form }: Parts): unknown {
  const data = nest(segments, value)
  const path = ['†', [kind, ...segments].join('.')].join('')
  const elsewhere = ['†', [kind, ...other].join('.')].join('')
  const of = { _instance: instance }
  switch (form) {
    case 'path':
      return { type: 'data', kind, data, _path: path, _outputMethod: method, ...of }
    case 'call':
      return {
        type: 'data',
        kind,
        data,
        _call: { _tool: 'x', _outputPath: path },
        _outputMethod: method,
        ...of,
      }
    case 'alternatives':
      return {
        type: 'data',
        kind,
        data,
        _call: { _tool: 'x', _outputPath: `${elsewhere} && ${path} || ${path}` },
        ...of,
      }
    case 'short':
      return { type: 'state', state: data, ...of }
    case 'text':
      return { type: 'text', text: JSON.stringify(value), ...of }
    default:
      return { type: 'data', kind, data, ...of }
  }
}
