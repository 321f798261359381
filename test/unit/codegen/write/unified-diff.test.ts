import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readableDiff, unifiedDiff } from '../../../../codegen/write/unified-diff.ts'
import { contents, temporaryFolder } from './temporary-folder.ts'

describe('GEN-3: the unified diff', () => {
  const cases: { title: string; before: string | undefined; after: string | undefined; want: string }[] = [
    { title: 'nothing', before: 'x\n', after: 'x\n', want: '' },
    { title: 'one line', before: 'x\n', after: 'y\n', want: '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-x\n+y\n' },
    {
      title: 'an added file',
      before: undefined,
      after: 'a\nb\n',
      want: '--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n',
    },
    {
      title: 'a removed file',
      before: 'a\n',
      after: undefined,
      want: '--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n',
    },
    {
      title: 'a missing last newline',
      before: 'a\nb',
      after: 'a\nb\n',
      want: '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
    },
    {
      title: 'two places far apart, with three lines of context',
      before: '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
      after: '1\nx\n3\n4\n5\n6\n7\n8\n9\n10\n',
      want: '--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n 1\n-2\n+x\n 3\n 4\n 5\n@@ -7,3 +7,4 @@\n 7\n 8\n 9\n+10\n',
    },
  ]
  test.each(cases)('shows $title', ({ before, after, want }) => {
    expect(unifiedDiff({ path: 'f', before, after })).toBe(want)
  })

  test('applies with git, whatever the texts', () => {
    const folder = temporaryFolder()
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', '\n', '{\n', 'long line\n'), { maxLength: 25 })
      .map((lines) => lines.join(''))
    const ended = fc.tuple(text, fc.constantFrom('', 'end')).map(([lines, end]) => lines + end)
    fc.assert(
      fc.property(ended, ended, (before, after) => {
        fc.pre(before !== after && before !== '' && after !== '')
        writeFileSync(join(folder, 'f'), before)
        execFileSync('git', ['apply', '-'], {
          cwd: folder,
          stdio: 'pipe',
          input: unifiedDiff({ path: 'f', before, after }),
        })
        expect(contents(folder).f).toBe(after)
      }),
      { numRuns: 60 },
    )
  })

  test('texts that have nothing in common stay cheap', () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}\n`).join('')
    const diff = unifiedDiff({ path: 'f', before: lines('a'), after: lines('b') })
    expect(diff).toContain('@@ -1,20000 +1,20000 @@')
  })
})

test('GEN-3: JSON is laid out for the diff, so that a change of one value is a line', () => {
  const json = (title: string) =>
    `{"tools":[{"name":"a","description":"${'word '.repeat(80)}","title":"${title}"}]}\n`
  const diff = readableDiff({ path: 'x.json', before: json('one'), after: json('two') })
  expect(diff.split('\n').filter((line) => /^[-+] /.test(line))).toEqual([
    '-      "title": "one"',
    '+      "title": "two"',
  ])
  const broken = readableDiff({ path: 'x.json', before: '{ <<<<', after: '{}\n' })
  expect(broken).toContain('-{ <<<<')
})

test('GEN-3: the line ends of a checkout on Windows are no difference in the diff', () => {
  const before = 'a\r\nb\r\nc\r\n'
  expect(readableDiff({ path: 'x.ts', before, after: 'a\nb2\nc\n' })).toBe(
    '--- a/x.ts\n+++ b/x.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+b2\n c\n',
  )
})
