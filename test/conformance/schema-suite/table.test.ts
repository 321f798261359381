import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../../docs/doc-examples.ts'
import { verdictTable } from './table.ts'

test('GEN-11 docs/reliability.md has the verdicts by keyword that the suite came to', () => {
  const table = verdictTable(readFileSync(`${root}test/conformance/schema-suite/verdicts.txt`, 'utf8'))
  expect(readFileSync(`${root}docs/reliability.md`, 'utf8'), `it should hold:\n${table}`).toContain(table)
})
