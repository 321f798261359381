import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rules } from '../../../../codegen/check/check-model.ts'

/** Rule names as load, build and what the runtime shares with them write them; the rules of check are a table. */
const ruleName = /(?:\brule: |\bproblem\(\s*)'([a-z-]+)'|'((?:function|dialect)-[a-z-]+)'/g

function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(ruleName)])
    .map(([, name, functionRule]) => name ?? functionRule ?? '')
}

test('GEN-4 docs/definition-rules.md has an entry for each rule, and for nothing else', () => {
  const entries = [...readFileSync('docs/definition-rules.md', 'utf8').matchAll(/^### `([^`]+)`$/gm)]
  const names = [
    ...[
      'codegen/load',
      'codegen/build',
      'codegen/check',
      'codegen/functions',
      'codegen/emit',
      'codegen/lint',
      'codegen/scaffold',
      'runtime/schema',
    ].flatMap(namesIn),
    ...rules.map(({ name }) => name),
  ]
  expect(entries.map(([, name]) => name).sort()).toEqual([...new Set(names)].sort())
})
