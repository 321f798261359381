import { createContext, type DataMessage } from 'callsheet'
import { expect, test } from 'vitest'
import { writeOutput } from '../../../../../runtime/context/output-path.ts'
import { parseOutputPath } from '../../../../../runtime/context/reference.ts'

const list = { type: 'data', kind: 'state', data: { list: [1, 2] }, _path: '†state.list' } as const

test('OUT-3a concat of what is no list adds it as one item', () => {
  const context = createContext([list, { ...list, data: { list: 3 }, _outputMethod: 'concat' }])
  expect(context.read('†state.list')).toEqual([1, 2, 3])
})

test.each([
  ['2', [1, 2, 9]],
  ['3', { 0: 1, 1: 2, 3: 9 }],
  ['x', { 0: 1, 1: 2, x: 9 }],
])(
  'OUT-3a a write to %s of a list takes the next place, or makes it an object: no holes',
  (segment, want) => {
    const more = { ...list, data: { list: { [segment]: 9 } }, _path: `†state.list.${segment}` }
    expect(createContext([list, more]).read('†state.list')).toEqual(want)
  },
)

test('OUT-3 a write below a text takes its place, and none of its letters', () => {
  const text = { ...list, data: { list: 'ab' } }
  const below = { ...list, data: { list: { c: 1 } }, _path: '†state.list.c' }
  expect(createContext([text, below]).read('†state.list')).toEqual({ c: 1 })
})

test.each([
  ['0', 1],
  ['1', 2],
  ['2', undefined],
  ['01', undefined],
  ['0x', undefined],
  ['x0', undefined],
  ["'0 '", undefined],
])('OUT-8 item %s of a list is %s: an index is a number and nothing else', (segment, want) => {
  expect(createContext([list]).read(`†state.list.${segment}`)).toBe(want)
})

test('OUT-2 what is written has the Call’s method and instance where it has them, and no members for them elsewhere', () => {
  const written = (more: object): DataMessage | undefined =>
    writeOutput({ _tool: 'x', ...more }, parseOutputPath('a'), 1, '2026-01-01T00:00:00.000Z')[0]
  expect(Object.keys(written({}) ?? {})).toEqual(['type', 'kind', 'data', '_call', '_date', '_path'])
  expect(written({ _outputMethod: 'push', _instance: 'i' })).toMatchObject({
    _outputMethod: 'push',
    _instance: 'i',
  })
})
