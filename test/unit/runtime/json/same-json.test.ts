import { expect, test } from 'vitest'
import { canonicalJson } from '../../../../runtime/json/canonical-json.ts'
import { isSameJson } from '../../../../runtime/json/same-json.ts'

test.each<[unknown, unknown, boolean]>([
  [[1, { a: [] }], [1, { a: [] }], true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [[1], ['1'], false],
  [new Array(1), ['a'], false],
  [['a'], new Array(1), false],
  [[new Array(1)], [[]], false],
])('%j and %j, the same JSON: %s', (left, right, want) => {
  expect(isSameJson(left, right)).toBe(want)
  expect(canonicalJson(left) === canonicalJson(right)).toBe(want)
})
