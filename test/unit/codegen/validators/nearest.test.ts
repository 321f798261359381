import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearest } from '../../../../runtime/problems/nearest.ts'

describe('CALL-1 the nearest names of a misspelt one', () => {
  test.each<[name: string, candidates: string[], want: string[]]>([
    ['serch', ['fetch', 'search'], ['search']],
    ['weather_check', ['weatherCheck', 'weather'], ['weatherCheck']],
    ['WEATHERCHECK', ['weatherCheck'], ['weatherCheck']],
    ['untis', ['units', 'until'], ['units', 'until']],
    ['ab', ['ba', 'cd'], ['ba']],
    ['x', ['y', 'z'], []],
    ['', ['a'], []],
    ['delete', ['search', 'fetch'], []],
    ['item', ['items', 'itema', 'itemb', 'itemc'], ['itema', 'itemb', 'itemc']],
    ['retries', ['retry', 'timeout'], ['retry']],
    ['query', ['queries', 'queue'], ['queries']],
    ['ies', ['y'], ['y']],
    ['__proto__', ['proto'], ['proto']],
  ])('%s among %j', (name, candidates, want) => {
    expect(nearest(name, candidates)).toEqual(want)
  })

  test('at most as many as asked for', () => {
    expect(nearest('item', ['items', 'itema', 'itemb'], 1)).toEqual(['itema'])
  })

  test('every candidate is one that was given, and its own name comes first', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 20 }), (name, candidates) => {
        const found = nearest(name, candidates)
        expect(found.every((each) => candidates.includes(each))).toBe(true)
        expect(found.length).toBeLessThanOrEqual(3)
      }),
      { numRuns: 200 },
    )
  })

  test('what is nearest among names that are alike is what the whole table of distances says', () => {
    const word = fc
      .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 })
      .map((letters) => letters.join(''))
    fc.assert(
      fc.property(
        word,
        fc.array(word, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        (name, words, max) => {
          const most = Math.max(1, Math.floor(Math.max(name.length, 3) / 3))
          const want = words
            .map((candidate) => ({ candidate, distance: distanceByTable(name, candidate) }))
            .filter(({ distance }) => distance <= most && distance < name.length)
            .sort((one, other) => one.distance - other.distance || (one.candidate < other.candidate ? -1 : 1))
          expect(nearest(name, words, max)).toEqual(want.slice(0, max).map(({ candidate }) => candidate))
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('a huge name or registry costs a bounded time', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `tool_number_${index}`)
    const start = performance.now()
    expect(nearest('x'.repeat(1_000_000), many)).toEqual([])
    expect(nearest('tool_number_x', many)).toHaveLength(3)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})

/** Optimal string alignment by its definition, without a shortcut. */
function distanceByTable(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  const at = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const least = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
      table[row]?.splice(column, 1, least)
    }
  }
  return at(left.length, right.length)
}
