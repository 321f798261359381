import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { jsonOr } from '../../../../runtime/json/json-or.ts'
import { runs } from '../../../runs.ts'

const piece = fc.constantFrom(
  ...['{', '}', '[', ']', '"', ':', ',', '\\', '-', '+', '.', 'e', 'E', '0', '1'],
  ...['true', 'false', 'null', 'a', ' ', '\n', '\t', '\u00a0', '\ufeff', ''],
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.json(),
  fc.tuple(piece, fc.json(), piece).map((pieces) => pieces.join('')),
)

test('CALL-9 reads what JSON.parse reads, and nothing else', () => {
  const holds = (given: string) => {
    let expected: unknown = holds
    try {
      expected = JSON.parse(given)
    } catch {
      // Not JSON.
    }
    expect(jsonOr(given, holds)).toEqual(expected)
  }
  fc.assert(fc.property(text, holds), { numRuns: runs(2000), seed: 20261126 })
})

test('a text that cannot be JSON costs no exception', () => {
  const parse = vi.spyOn(JSON, 'parse')
  for (const given of [
    'a word',
    '2026-11-26T10:00:00Z',
    'true enough',
    '{',
    '["',
    '"',
    '',
    '†state.x',
    '-',
  ]) {
    expect(jsonOr(given, given)).toBe(given)
  }
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
