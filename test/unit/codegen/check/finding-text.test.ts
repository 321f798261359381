import { expect, test } from 'vitest'
import { findingAnnotation, findingText, sortFindings } from '../../../../codegen/findings/finding-text.ts'
import type { Finding } from '../../../../codegen/model.ts'

const finding: Finding = {
  rule: 'duplicate-name',
  severity: 'error',
  message: 'Two of "a", 100%,\nsee b:c.',
  fix: 'Rename.',
  at: { file: 'definitions/a,b.ts', line: 12, column: 3 },
}

test('GEN-4 for people: place, severity, rule, what is wrong and what to do', () => {
  expect(findingText(finding)).toBe(
    'definitions/a,b.ts:12:3 error duplicate-name: Two of "a", 100%,\nsee b:c.\n  fix: Rename.',
  )
})

test('a finding without a place begins with its severity', () => {
  const { at, ...placeless } = finding
  expect(findingText({ ...placeless, message: 'M' })).toBe('error duplicate-name: M\n  fix: Rename.')
  expect(findingAnnotation({ ...placeless, message: 'M' })).toBe(
    '::error title=duplicate-name::M%0Afix: Rename.',
  )
})

test('for GitHub: what would end the command or a property is escaped', () => {
  expect(findingAnnotation(finding)).toBe(
    '::error file=definitions/a%2Cb.ts,line=12,col=3,title=duplicate-name::Two of "a", 100%25,%0Asee b:c.%0Afix: Rename.',
  )
  expect(findingAnnotation({ ...finding, severity: 'note' })).toMatch(/^::notice /)
  expect(findingAnnotation({ ...finding, severity: 'warning' })).toMatch(/^::warning /)
})

test('GEN-2 sorted by file, line as a number, column, rule, message; repetitions once', () => {
  const at = (file: string, line: number, column: number, rule = 'r'): Finding => ({
    ...finding,
    rule,
    at: { file, line, column },
  })
  const sorted = [at('a', 2, 1), at('a', 10, 1, 'p'), at('a', 10, 1, 'q'), at('a', 10, 2), at('b', 1, 1)]
  const { at: place, ...placeless } = finding
  expect(sortFindings([...sorted].reverse().concat(sorted))).toEqual(sorted)
  expect(sortFindings([...sorted, placeless])[0]).toEqual(placeless)
})
