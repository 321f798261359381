import { lower } from 'callsheet'
import { describe, expect, test } from 'vitest'

type Schema = Parameters<typeof lower>[0]
type Shape = (size: number) => Schema

const numbers = (size: number): number[] => [...Array(size).keys()]

/** Schemas of which one part grows with a size. Each run begins at other numbers, since equal schemas are lowered once. */
const shapes: Record<string, { readonly small: number; readonly shape: Shape }> = {
  'an enum of numbers': { small: 4000, shape: (size) => ({ enum: numbers(size) }) },
  'two enums that share values': {
    small: 1500,
    shape: (size) => ({ allOf: [{ enum: numbers(size) }, { enum: numbers(size).map((each) => each + 3) }] }),
  },
}

function timeOf(shape: Schema, name: string): number {
  const before = process.cpuUsage()
  lower({ type: 'object', properties: { [name]: shape }, required: [name] }, 'openai')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('CALL-11a lowering a schema takes time that grows with it, and not by its square', () => {
  const times = 8

  test.each(Object.entries(shapes))('%s', { timeout: 60_000 }, (_, { small, shape }) => {
    timeOf(shape(small), 'compiled')
    // What took less than this is noise, which must not count as growth.
    const before = Math.max(timeOf(shape(small), 'small'), 15)
    // The square would be 64 times as long.
    expect(timeOf(shape(small * times), 'large') / before).toBeLessThan(times * 2.5)
  })
})
