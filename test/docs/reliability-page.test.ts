import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url)

test('docs/reliability.md names every file of test/fuzz, and no other', () => {
  const page = readFileSync(at('docs/reliability.md'), 'utf8')
  const [, section = ''] = /^## What is fuzzed\n(.*?)^## /ms.exec(page) ?? []
  const named = [...section.matchAll(/^\| `([\w-]+\.test\.ts)` \|/gm)].map(([, name]) => name)
  expect(named).toEqual(
    readdirSync(at('test/fuzz'))
      .filter((name) => name.endsWith('.test.ts'))
      .sort(),
  )
})
