import type { Call, Message } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { planMermaid } from '../../../../runtime/plan/mermaid.ts'
import { planGraph } from '../../../../runtime/plan/plan-graph.ts'

const isParameter = (_call: Call, name: string): boolean => !name.startsWith('_')
const state: Message[] = [{ type: 'state', state: { there: 1 } }]

/** A Call that reads the first path and writes the second. */
const step = (read: string | undefined, written?: string, more: object = {}): Call => ({
  _tool: 't',
  ...(read !== undefined && { value: read }),
  ...(written !== undefined && { _outputPath: written }),
  ...more,
})
const edges = (...calls: Call[]) => planGraph(calls, state, isParameter).waitsFor

test('REQ-10 which of the Calls of earlier turns wait for each other is settled, and those that came wait as they read', () => {
  const calls = [step('†state.a && †state.b'), step(undefined, '†state.a'), step('†state.a', '†state.b')]
  expect(planGraph(calls, state, isParameter, [[], []]).waitsFor).toEqual([[2], [], [1]])
})

describe('REQ-10 edges are References to output paths', () => {
  test.each<[string, Call[], number[][]]>([
    ['none', [step('a'), step('†state.there')], [[], []]],
    ['one before', [step(undefined, '†state.a'), step('†state.a')], [[], [0]]],
    ['one after, where nothing is there yet', [step('†state.a'), step(undefined, '†state.a')], [[1], []]],
    [
      'one after does not hold up what is there',
      [step('†state.there'), step(undefined, '†state.there')],
      [[], []],
    ],
    ['one before holds up what is there', [step(undefined, '†state.there'), step('†state.there')], [[], [0]]],
    ['a part of what is written', [step(undefined, '†state.a'), step('†state.a.b')], [[], [0]]],
    ['what a part is written of', [step(undefined, '†state.a.b'), step('†state.a')], [[], [0]]],
    ['another path', [step(undefined, '†state.a'), step('†state.ab')], [[], []]],
    ['another kind', [step(undefined, '†audit.a'), step('†state.a')], [[], []]],
    ['a path without a dagger is of the state', [step(undefined, 'a'), step('†state.a')], [[], [0]]],
    ['every alternative', [step(undefined, '†state.a || †state.e'), step('†state.e')], [[], [0]]],
    [
      'several writers',
      [step(undefined, '†state.a'), step(undefined, '†state.b'), step('†state.a && †state.b')],
      [[], [], [0, 1]],
    ],
    [
      'deep in a parameter',
      [step(undefined, '†state.a'), step(undefined, undefined, { list: [{ x: '†state.a' }] })],
      [[], [0]],
    ],
    ['an escaped Reference is text', [step(undefined, '†state.a'), step('††state.a')], [[], []]],
    [
      'meta-fields hold none',
      [step(undefined, '†state.a'), step(undefined, undefined, { _reasoningForCall: '†state.a' })],
      [[], []],
    ],
    [
      'the same instance',
      [step(undefined, '†state.a', { _instance: 'x' }), step('†state.a', undefined, { _instance: 'x' })],
      [[], [0]],
    ],
    [
      'another instance',
      [step(undefined, '†state.a', { _instance: 'x' }), step('†state.a', undefined, { _instance: 'y' })],
      [[], []],
    ],
    [
      'a pipeline over one path',
      [step(undefined, '†state.a'), step('†state.a', '†state.b'), step('†state.b', '†state.a')],
      [[], [0], [1]],
    ],
    [
      'no instance, in both words for it',
      [
        step(undefined, '†state.there', { _instance: null }),
        step('†state.there', undefined, { _instance: 'x' }),
      ],
      [[], [0]],
    ],
    ['a list that grows', [step('†state.there', '†state.there')], [[]]],
  ])('%s', (_what, calls, want) => {
    expect(edges(...calls)).toEqual(want)
  })

  test.each<[string, Call[], RegExp]>([
    [
      'of two',
      [step('†state.b', '†state.a'), step('†state.a', '†state.b')],
      /Call 0 .*waits for Call 1 .*waits for Call 0/,
    ],
    ['of one', [step('†state.a', '†state.a')], /Call 0 .*waits for Call 0/],
    [
      'of three',
      [step('†state.c', '†state.a'), step('†state.a', '†state.b'), step('†state.b', '†state.c')],
      /Call 0.*Call 2.*Call 1.*Call 0/,
    ],
  ])('a cycle %s is an error that lists it', (_what, calls, message) => {
    expect(() => edges(...calls)).toThrow(
      expect.objectContaining({ code: 'plan_cycle', message: expect.stringMatching(message) }),
    )
  })

  test('a long chain is no problem', () => {
    const chain = Array.from({ length: 2000 }, (_, index) => step(`†state.p${index}`, `†state.p${index + 1}`))
    expect(edges(...chain).filter((waits) => waits.length === 1)).toHaveLength(1999)
  })
})

describe('CALL-11a a Reference is looked up among the writers of its path, and not among all Calls', () => {
  const length = 1000
  const paths = Array.from({ length }, (_, index) => `†state.results.p${index}`)

  /** How often a Call of the list is looked at. */
  function looks(calls: readonly Call[], work: (counted: readonly Call[]) => unknown): number {
    let count = 0
    const counted = new Proxy(calls, {
      get(from, name, self) {
        if (/^\d+$/.test(String(name))) count++
        return Reflect.get(from, name, self)
      },
    })
    work(counted)
    return count
  }

  test.each<[string, Call[]]>([
    ['a chain', paths.map((path, index) => step(paths[index - 1], path))],
    ['one that reads all', [...paths.map((path) => step(undefined, path)), { _tool: 't', list: paths }]],
    [
      'each an instance of its own',
      paths.map((_, index) => step('†state.there', '†state.there', { _instance: `${index}` })),
    ],
    ['each what nobody writes', paths.map((path) => step(`${path}x`, path))],
  ])('%s', (_what, calls) => {
    // A few times each Call; a search through all of them would be a thousand times.
    expect(looks(calls, (counted) => planGraph(counted, state, isParameter))).toBeLessThanOrEqual(4 * length)
    expect(looks(calls, (counted) => planMermaid(counted, state))).toBeLessThanOrEqual(8 * length)
  })
})
