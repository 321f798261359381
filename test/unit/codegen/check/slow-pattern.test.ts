import { expect, test } from 'vitest'
import { slowGroup } from '../../../../codegen/check/slow-pattern.ts'

test.each([
  ['^(a+)+$', '(a+)+'],
  ['^(?:a*)*$', '(?:a*)*'],
  ['(\\w+\\s?)*$', '(\\w+\\s?)*'],
  ['^(?:x|[a-z]+)+$', '(?:x|[a-z]+)+'],
  ['^((ab){2,}){3,}$', '((ab){2,}){3,}'],
  ['^(?<word>[^)]+)+$', '(?<word>[^)]+)+'],
  ['^([)(]+|b)*$', '([)(]+|b)*'],
  ['^(\\(+)*$', '(\\(+)*'],
  ['a(b(c+)+d)?', '(c+)+'],
])('%s is slow because of %s', (pattern, group) => {
  expect(() => new RegExp(pattern, 'u')).not.toThrow()
  expect(slowGroup(pattern)).toBe(group)
})

test.each(['(a|aa)+$', '^(a|a)*$', '(.*a){25}', '^(\\w|\\d)*$', '^(a|b|ab)*c$', '^(?:a?){30}a{30}$'])(
  '%s is slow as a trial shows',
  (pattern) => {
    expect(slowGroup(pattern)).toBe(pattern)
  },
)

test.each([
  '\\s+$',
  '^[^@]+@[^@]+\\.[a-z]+$',
  '^[a-z]+(?:-[a-z]+)*$',
  '^(?:[a-z]+-)*[a-z]+$',
  '^(?:\\d+\\.)+\\d+$',
  '^(a+){2}$',
  '^(a+)?$',
  '^(?:ab)+$',
  '^(?:a|b)*$',
  '^\\(a+\\)+$',
  '^[(a+)]+$',
  '^.*$',
  '^\\p{L}+(?: \\p{L}+)*$',
  '',
])('%s is left alone', (pattern) => {
  expect(slowGroup(pattern)).toBeUndefined()
})
