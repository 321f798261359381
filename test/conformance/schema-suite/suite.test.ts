import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../runtime/check-tree/interpret.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Check } from '../../../runtime/schema/validator.ts'
import { suiteFolder } from '../../data/tool-sets.ts'
import { compiled } from '../../unit/codegen/validators/evaluate.ts'
import { type Difference, differences } from './differences.ts'

interface Group {
  readonly description: string
  readonly schema: Schema
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

test('GEN-11 at most twenty documented differences, each with its reason', () => {
  expect(differences.length).toBeLessThanOrEqual(20)
  expect(new Set(differences.map(({ file, group }) => `${file} ${group}`)).size).toBe(differences.length)
})

const used = new Set<Difference>()

/** A line per file: how many verdicts are the suite's, how many groups are refused, how many verdicts differ. */
const report: string[] = []

describe.each(['draft2020-12', 'draft7'])('GEN-11 the official suite, %s', (draft) => {
  const folder = suiteFolder(draft)
  const files = folder
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
    : []

  test.skipIf(!folder)('is at hand', () => expect(files.length).toBeGreaterThan(40))

  test.each(files.map((path) => path.replaceAll('\\', '/').replace('.json', '')).sort())('%s', (name) => {
    const groups = JSON.parse(readFileSync(join(folder ?? '', `${name}.json`), 'utf8')) as Group[]
    const wrong: string[] = []
    let refused = 0
    let passed = 0
    let different = 0
    for (const group of groups) {
      const [check, twin] = [
        unlessRefused(compiled, group.schema),
        unlessRefused(interpretCheck, group.schema),
      ]
      expect(check === undefined, `${group.description}: both refuse, or neither`).toBe(twin === undefined)
      if (!check || !twin) {
        refused += 1
        continue
      }
      const difference = differences.find(
        ({ file, group: only }) =>
          isFile(file, draft, name) && (only ?? group.description) === group.description,
      )
      for (const { description, data, valid } of group.tests) {
        expect(twin(data), `${group.description}: ${description}: both give one verdict`).toBe(check(data))
        if (check(data) === valid) passed += 1
        else if (difference) {
          used.add(difference)
          different += 1
        } else wrong.push(`${group.description}: ${description}`)
      }
    }
    expect(wrong).toEqual([])
    report.push(`${draft}/${name}: ${passed} passed, ${refused} groups refused, ${different} different`)
  })
})

test.skipIf(!suiteFolder('draft7'))('GEN-11 every documented difference still is one', () => {
  expect(differences.filter((difference) => !used.has(difference))).toEqual([])
})

test.skipIf(!suiteFolder('draft7'))('GEN-11 the verdicts by keyword are those in git', async () => {
  await expect(`${report.join('\n')}\n`).toMatchFileSnapshot('verdicts.txt')
})

function isFile(pattern: string, draft: string, name: string): boolean {
  return pattern === `${draft}/${name}` || pattern === `*/${name}`
}

function unlessRefused(make: (schema: Schema) => Check, schema: Schema): Check | undefined {
  try {
    return make(schema)
  } catch (error) {
    if (error instanceof Error && (error.message.startsWith('refused') || 'code' in error)) return undefined
    throw error
  }
}
