import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldedJson } from '../../../../codegen/explain/folded-json.ts'

describe('callsheet explain prints JSON', () => {
  test('that reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.parse(foldedJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { numRuns: 300 },
    )
  })

  test.each<[string, unknown, string]>([
    [
      'what fits stands on one line',
      { type: 'string', enum: ['a', 'b'] },
      '{ "type": "string", "enum": ["a", "b"] }',
    ],
    ['what says nothing', { _output: {}, list: [] }, '{ "_output": {}, "list": [] }'],
    [
      'long lists fill their lines',
      { enum: Array.from({ length: 14 }, (_, index) => `value number ${index}`) },
      `{
  "enum": [
    "value number 0", "value number 1", "value number 2", "value number 3", "value number 4",
    "value number 5", "value number 6", "value number 7", "value number 8", "value number 9",
    "value number 10", "value number 11", "value number 12", "value number 13"
  ]
}`,
    ],
    [
      'what does not fit is opened, and no more of it than has to be',
      { first: { text: 'x'.repeat(60) }, second: { text: 'y'.repeat(60) } },
      `{
  "first": { "text": "${'x'.repeat(60)}" },
  "second": { "text": "${'y'.repeat(60)}" }
}`,
    ],
  ])('%s', (_what, value, want) => {
    expect(foldedJson(value)).toBe(want)
  })
})
