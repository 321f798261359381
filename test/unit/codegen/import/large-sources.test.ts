import { describe, expect, test } from 'vitest'
import { importTools } from '../../../../codegen/import/import-tools.ts'
import { SchemaNormaliser } from '../../../../codegen/import/normalise-schema.ts'

const text = { type: 'string' }

function each<Part>(size: number, part: (index: number) => Part): Record<string, Part> {
  return Object.fromEntries(list(size, (index) => [`p${index}`, part(index)]))
}

function list<Item>(size: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: size }, (_, index) => item(index))
}

function ref(index: number): object {
  return { $ref: `#/$defs/p${index}` }
}

function one(input: object, name = 'a'): object {
  return { name, inputSchema: { type: 'object', ...input } }
}

/** Lists of tools of any size, each large in another way. */
const largeSources: Readonly<Record<string, (size: number) => object[]>> = {
  tools: (size) => list(size, (index) => one({ properties: { a: text } }, `t${index}`)),
  'tools of one name': (size) => list(size, () => one({ properties: { a: text } })),
  'tools with a definition of one name': (size) =>
    list(size, (index) =>
      one({ properties: { a: { $ref: '#/$defs/Same' } }, $defs: { Same: { enum: [index] } } }, `t${index}`),
    ),
  properties: (size) => [one({ properties: each(size, () => text), required: Object.keys(each(size, ref)) })],
  'properties that two schemas look at': (size) => [
    one({
      properties: each(size, () => text),
      allOf: [{ properties: each(size, () => ({ minLength: 1 })) }],
    }),
  ],
  'parts of allOf': (size) => [
    one({ allOf: list(size, (index) => ({ properties: { [`p${index}`]: text } })) }),
  ],
  'tagged alternatives': (size) => [
    one({
      properties: {
        a: {
          oneOf: list(size, (index) => ({
            type: 'object',
            properties: { kind: { const: `k${index}` }, [`p${index}`]: text },
            required: ['kind'],
          })),
        },
      },
    }),
  ],
  conditions: (size) => [
    one({
      properties: { kind: text },
      allOf: list(size, (index) => ({
        if: { properties: { kind: { const: `k${index}` } } },
        else: { properties: { [`p${index}`]: text } },
      })),
    }),
  ],
  'dependent schemas': (size) => [
    one({
      properties: each(size, () => text),
      dependentSchemas: each(size, (index) => ({ properties: { [`q${index}`]: text } })),
    }),
  ],
  'patterns of names beside properties': (size) => [
    one({
      properties: each(size, () => text),
      patternProperties: Object.fromEntries(list(size, (index) => [`^p${index}$`, { minLength: 1 }])),
    }),
  ],
  'values of an enum, with examples': (size) => [
    one({
      properties: {
        a: {
          enum: list(size * 20, (index) => `v${index}`),
          examples: list(size, (index) => `v${index}`),
        },
      },
    }),
  ],
  'keywords that nobody reads': (size) => [one({ properties: { a: { ...text, ...each(size, () => 1) } } })],
  'wrong keywords': (size) => [one({ properties: each(size, () => ({ minLength: 'x' })) })],
  'references that lead nowhere': (size) => [
    one({ properties: each(size, (index) => ({ $ref: `#/nowhere/${index}` })) }),
  ],
  'a star of definitions': (size) => [
    one({ properties: each(size, ref), $defs: each(size, (index) => ({ minLength: index })) }),
  ],
  'a circle of definitions': (size) => [
    one({
      properties: { a: ref(0) },
      $defs: each(size, (index) => ({ type: 'object', properties: { next: ref((index + 1) % size) } })),
    }),
  ],
  'references that lead to references': (size) => [
    one({
      properties: { a: ref(0) },
      $defs: each(size, (index) => (index + 1 < size ? ref(index + 1) : text)),
    }),
  ],
  'references to the property before': (size) => [
    one({
      properties: each(size, (index) =>
        index === 0 ? { type: 'object' } : { $ref: `#/properties/p${index - 1}` },
      ),
    }),
  ],
  anchors: (size) => [
    one({
      properties: each(size, (index) => ({ $ref: `#a${index}` })),
      $defs: each(size, (index) => ({ $anchor: `a${index}`, ...text })),
    }),
  ],
}

/** Processor time of an import, in milliseconds. */
function timeOf(source: readonly object[]): number {
  return timeFor(() => importTools(source, { rename: true }))
}

function timeFor(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('GEN-10 the time of an import grows with its source, and not by the square of it', () => {
  const [small, times] = [150, 8]

  test.each(Object.entries(largeSources))('%s', { timeout: 60_000 }, (_, shape) => {
    timeOf(shape(small)) // Compiled by now, as far as it will be.
    // What took less than this is noise, which must not count as growth.
    const most = Math.max(timeOf(shape(small)), 40) * times * 2.5
    const large = shape(small * times)
    // Twice where it was slow, since other work on the machine may have been the reason.
    expect(timeOf(large) < most || timeOf(large) < most).toBe(true)
  })

  // Other parts of an import take so much longer that the names show only in very large ones.
  test('names of definitions whose places end alike', { timeout: 60_000 }, () => {
    const normalised = (size: number): number => {
      const properties = each(size, (index) => ({ $ref: `#/$defs/p${index}/$defs/Same` }))
      const $defs = each(size, () => ({ $defs: { Same: text } }))
      return timeFor(() => new SchemaNormaliser('a', false).normalise({ properties, $defs }))
    }
    normalised(2000)
    expect(normalised(16_000)).toBeLessThan(Math.max(normalised(2000), 40) * 20)
  })
})
