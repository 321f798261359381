import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The closed list of error codes, read from the source of its type, because types do not exist at run time. */
function declaredCodes(): string[] {
  const [, union = ''] =
    /export type ErrorCode =\n((?: {2}\| '\w+'\n)+)/.exec(read('runtime/errors.ts')) ?? []
  return [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code)
}

const page = read('docs/errors.md')
const sections = page.split(/^### /m).slice(1)

describe('CALL-8a docs/errors.md', () => {
  test('lists exactly the existing codes, each once', () => {
    const listed = sections.map((section) => /^`(\w+)`\n/.exec(section)?.[1])
    expect(declaredCodes().length).toBeGreaterThan(20)
    expect([...listed].sort()).toEqual([...declaredCodes()].sort())
  })

  test.each(sections.map((section) => [section.split('\n')[0], section]))(
    '%s has a cause and a fix',
    (_code, section) => {
      expect(section).toMatch(/^\*\*Cause\.\*\* .{20,}/m)
      expect(section).toMatch(/^\*\*Fix\.\*\* .{20,}/m)
    },
  )
})
