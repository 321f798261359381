import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A code block of the documentation that runs: its fence is `ts run`. */
export interface DocExample {
  /** Relative to the root of the repository. */
  readonly page: string
  /** Number of the first line of code, from 1. */
  readonly line: number
  readonly code: string
}

/** Lists every runnable example of `README.md` and `docs/`. */
export function docExamples(): DocExample[] {
  const pages = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'))
  const all = ['README.md', ...pages.sort().map((name) => `docs/${name}`)]
  return all.filter((page) => existsSync(root + page)).flatMap(examplesIn)
}

function examplesIn(page: string): DocExample[] {
  const text = readFileSync(root + page, 'utf8')
  return [...text.matchAll(/^```ts run\n(.*?)^```$/gms)].map(({ index, 1: code = '' }) => ({
    page,
    line: text.slice(0, index).split('\n').length + 1,
    code,
  }))
}

/**
 * Turns each line `expression // => value` of an example into an assertion. Line numbers do not change.
 */
export function withAssertions(code: string): string {
  const checked = code.replaceAll(
    /^(?! )(.+?);? *\/\/ => (.+)$/gm,
    (_line, expression: string, value: string) => `assert.deepEqual(${expression}, ${value})`,
  )
  return `import assert from 'node:assert/strict'; ${checked}`
}

/** Counts the lines with `// => value` in an example. */
export function promises(code: string): number {
  return code.split('\n').filter((line) => line.includes('// => ')).length
}
