import type { Message } from 'callsheet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readState } from '../../../../runtime/context/state.ts'
import {
  has,
  intersection,
  intersects,
  type PlaceSet,
  placesOf,
  union,
} from '../../../../runtime/plan/place-set.ts'
import { planGraph } from '../../../../runtime/plan/plan-graph.ts'
import { PlanViews } from '../../../../runtime/plan/plan-views.ts'
import { runs } from '../../../runs.ts'
import { instance, kind, log, segments } from '../context/state/random-log.ts'

/** What the views have to come to, said the long way: all that a Call waits for, in the order of the plan. */
function listed(base: readonly Message[], added: readonly Message[][], waitsFor: number[][], place: number) {
  const needed = new Set(waitsFor[place])
  for (const other of needed) for (const further of waitsFor[other] ?? []) needed.add(further)
  const places = [...needed].sort((left, right) => left - right)
  return [...base, ...places.flatMap((other) => added[other] ?? [])]
}

/** A plan in which each Call waits for some of those that rank below it, wherever they stand. */
const plan = fc
  .array(fc.record({ rank: fc.double({ noNaN: true }), seed: fc.nat(), added: log }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((steps) => {
    const order = [...steps.keys()].sort((a, b) => (steps[a]?.rank ?? 0) - (steps[b]?.rank ?? 0) || a - b)
    const waitsFor = steps.map(({ seed }, place) =>
      order
        .slice(0, order.indexOf(place))
        .filter((_, bit) => (seed >> bit) & 1)
        .sort((left, right) => left - right),
    )
    return { order, waitsFor, added: steps.map((step) => step.added) }
  })

describe('REQ-8a REQ-10 the view of a Call', () => {
  const at = (path: string, data: unknown, more: object = {}): Message => {
    const [, kind = '', ...names] = path.split(/[†.]/)
    const nested = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), data)
    return { type: 'data', kind, data: nested, _path: path, ...more } as Message
  }
  const push = { _outputMethod: 'push' as const }

  test('CALL-11a puts a value together once, however often its Call reads it', () => {
    const views = new PlanViews([at('†state.a', 1)], [], [[], [0]])
    views.settle(0, [at('†state.b', 2)])
    const view = views.of(1)
    const path = { kind: 'state', segments: [] }
    const value = view.read(path)
    expect(value).toEqual({ a: 1, b: 2 })
    expect(view.read(path)).toBe(value)
    expect(view.read({ kind: 'state', segments: ['b'] })).toBe(2)
  })

  test('reads what the list of the Messages that it waits for reads, whatever else has ended', () => {
    const property = fc.property(
      log,
      plan,
      fc.array(fc.tuple(kind, segments, instance), { minLength: 1, maxLength: 8 }),
      (base, { order, waitsFor, added }, reads) => {
        const views = new PlanViews(base, [], waitsFor)
        const made = new Map(
          order.map((place) => {
            const view = views.of(place)
            const want = listed(base, added, waitsFor, place)
            check(view, want)
            views.settle(place, added[place] ?? [])
            return [view, want]
          }),
        )
        // All have ended by now, and no view shows it.
        for (const [view, want] of made) {
          check(view, want)
          expect(view.messages).toEqual(want)
        }

        function check(view: ReturnType<PlanViews['of']>, want: readonly Message[]): void {
          for (const [kind, segments, instance] of reads) {
            const path = { kind, segments }
            expect(view.read(path, instance)).toEqual(readState(want, path, instance))
            if (instance === undefined) continue
            const isThere = want.some(({ _instance }) => _instance === instance)
            expect(view.hasInstance(instance)).toBe(isThere)
          }
        }
      },
    )
    fc.assert(property, { numRuns: runs(1500), seed: 11 })
  })

  test('INST-1 what an instance wrote itself stands, whatever was to be written for all', () => {
    const calls = [{ _instance: 'i' }, {}].map((more) => ({ _tool: 'x', _outputPath: '†state.a', ...more }))
    const views = new PlanViews([], [...calls, { _tool: 'reader', _instance: 'i' }], [[], [], [0, 1]])
    views.settle(0, [at('†state.a', 'mine', { _instance: 'i' })])
    views.settle(1, [])
    const path = { kind: 'state', segments: ['a'] }
    expect(views.of(2).read(path, 'i')).toBe('mine')
    expect(views.of(2).read(path)).toBeUndefined()
  })

  test('CALL-11 shows nothing that would be another, had all written that it waits for', () => {
    const path = fc
      .tuple(fc.constantFrom('', '', '.x', '.x.y', '.x.z', '.w'), fc.constantFrom(undefined, 'i'))
      .map(([names, _instance]) => ({ _outputPath: `†state.a${names}`, ...(_instance && { _instance }) }))
    const steps = fc.array(fc.record({ path, writes: fc.boolean(), pushes: fc.boolean() }), { maxLength: 5 })
    const reached = { absent: 0, there: 0 }
    const property = fc.property(steps, path, fc.boolean(), (steps, { _outputPath, _instance }, isThere) => {
      const base = isThere ? [at('†state.a', { x: { y: 'old', z: 'old' }, w: 'old' })] : []
      const written = steps.map(({ path, pushes }, place) =>
        at(path._outputPath, `new ${place}`, { ...path, ...(pushes && push) }),
      )
      const calls = steps.map(({ path }) => ({ _tool: 'x', ...path }))
      const reader = { _tool: 'reader', of: _outputPath, ...(_instance && { _instance }) }
      const { waitsFor } = planGraph([...calls, reader], base, (_, name) => name === 'of')
      const views = new PlanViews(base, [...calls, reader], waitsFor)
      for (const [place, { writes }] of steps.entries()) {
        views.settle(place, writes ? [written[place] as Message] : [])
      }
      const kind = { kind: 'state', segments: _outputPath.split('.').slice(1) }
      const seen = views.of(steps.length).read(kind, _instance)
      if (seen === undefined) {
        reached.absent++
        return
      }
      reached.there++
      const waited = waitsFor.at(-1) ?? []
      const asFarAs = (doesWrite: (place: number) => boolean) =>
        readState(
          [...base, ...written.filter((_, place) => waited.includes(place) && doesWrite(place))],
          kind,
          _instance,
        )
      expect(seen).toEqual(asFarAs((place) => steps[place]?.writes === true))
      expect(seen).toEqual(asFarAs(() => true))
    })
    fc.assert(property, { numRuns: runs(1500), seed: 3 })
    expect(Math.min(reached.absent, reached.there)).toBeGreaterThan(50)
  })

  // Where one of these is left out, what a list has come to differs: too rare for the random plans above.
  test.each<[string, Message[], Message[][], string | undefined]>([
    [
      'a write beside the way made the list an object before the plan pushes to it',
      [at('†state.a', [1, 2])],
      [[at('†state.a.foo', 3)], [at('†state.a', 9, push)]],
      undefined,
    ],
    [
      'the same, where the instance pushed before the plan',
      [at('†state.a', [1, 2]), at('†state.a', 9, { ...push, _instance: 'i' })],
      [[at('†state.a.foo', 3)], [at('†state.a.0', 4)]],
      'i',
    ],
  ])('%s', (_what, base, added, instance) => {
    const views = new PlanViews(base, [], [[], [], [0, 1]])
    for (const [place, messages] of added.entries()) views.settle(place, messages)
    const view = views.of(2)
    for (const name of ['0', '1', '2', 'foo']) {
      const path = { kind: 'state', segments: ['a', name] }
      expect(view.read(path, instance)).toEqual(readState([...base, ...added.flat()], path, instance))
    }
  })
})

describe('a set of places', () => {
  const places = fc.uniqueArray(fc.oneof(fc.nat(40), fc.nat(100_000)), { maxLength: 30 })
  const setOf = (list: readonly number[]): PlaceSet => list.reduce<PlaceSet>(union, undefined)

  test('holds what was added, in order, and unites and intersects as sets do', () => {
    const property = fc.property(places, places, (left, right) => {
      const sorted = (list: readonly number[]) => [...new Set(list)].sort((a, b) => a - b)
      expect(placesOf(setOf(left))).toEqual(sorted(left))
      expect(placesOf(union(setOf(left), setOf(right)))).toEqual(sorted([...left, ...right]))
      const both = sorted(left.filter((place) => right.includes(place))).reverse()
      expect([...intersection(setOf(left), setOf(right))]).toEqual(both)
      expect(right.filter((place) => has(setOf(left), place))).toHaveLength(both.length)
      expect(intersects(setOf(left), setOf(right))).toBe(both.length > 0)
      expect(setOf(left)).toEqual(setOf([...left].reverse()))
    })
    fc.assert(property, { numRuns: runs(1000), seed: 5 })
  })

  test('is shared: joining with a part of itself makes nothing new', () => {
    const all = setOf(Array.from({ length: 1000 }, (_, index) => index * 3))
    expect(union(all, setOf([3, 999, 1500]))).toBe(all)
    expect(union(setOf([3, 999, 1500]), all)).toBe(all)
  })
})
