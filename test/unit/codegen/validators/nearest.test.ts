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

  test('a huge name or registry costs a bounded time', () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `tool_number_${index}`)
    const start = performance.now()
    expect(nearest('x'.repeat(1_000_000), many)).toEqual([])
    expect(nearest('tool_number_x', many)).toHaveLength(3)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
