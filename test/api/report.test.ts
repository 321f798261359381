import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../docs/doc-examples.ts'
import { apiReports } from './report.ts'

describe('the API report', () => {
  const reports = apiReports()

  test.each(reports)('$path is what $entry publishes; if it is not: npm run api', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  })

  test('has a file for each entry and no other', () => {
    const files = readdirSync(join(root, 'test/api')).filter((file) => file.endsWith('.md'))
    expect(files.map((file) => `test/api/${file}`)).toEqual(reports.map(({ path }) => path).sort())
  })

  test('shows exports by name, what they reach, and what another entry has shown', () => {
    const folder = mkdtempSync(join(tmpdir(), 'callsheet-api-'))
    const files = {
      'one.d.ts': "export { b, type A } from './inner.js'\n",
      'two.d.ts': "export type { A, C as D } from './inner.js'\nexport declare const text: string\n",
      'inner.d.ts':
        '/** Not said. */\nexport interface A<T> { readonly hidden: Hidden<T>; own: A<T> }\ntype Hidden<T> = T | C\nexport declare class C { #x }\nexport declare function b(a: number): void\nexport declare function b(a: Date): void\ntype Unreached = 1\nexport {}\n',
    }
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
      const entries = ['one', 'two'].map((name) => ({
        entry: `callsheet/${name}`,
        types: join(folder, `${name}.d.ts`),
      }))
      const [one, two] = apiReports(entries, folder).map(({ text }) => text.split('\n').slice(3).join('\n'))
      expect(one).toBe(`
\`\`\`ts
export declare function b(a: number): void;
export declare function b(a: Date): void;

export interface A<T> {
    readonly hidden: Hidden<T>;
    own: A<T>;
}
\`\`\`

## Reached, not exported

\`\`\`ts
type Hidden<T> = T | C;
\`\`\`
`)
      expect(two).toBe(`
\`\`\`ts
export declare class C {
    #x;
}

export declare const text: string;
\`\`\`

## Exported here as well

\`\`\`ts
export { A } from 'callsheet/one'
\`\`\`
`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
