import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { budgetFault } from '../../../../codegen/config/contract-option-rules.ts'
import type { Budget } from '../../../../codegen/config/contract-options.ts'
import { check } from '../../../../codegen/generate.ts'
import { lint } from '../../../../codegen/lint/lint.ts'
import { callsheet, project } from '../cli/in-terminal.ts'
import { fill } from '../write/temporary-folder.ts'

const tool = (name: string, words: number): string => `import { Type } from 'typebox'

export const ${name} = Type.Object({
  _tool: Type.Literal('${name}'),
  query: Type.String({ description: '${'word '.repeat(words).trim()}' }),
  _output: Type.String(),
}, { description: 'Made for a test.', effects: 'read' })
`

/** A project with a short Tool and a long one. */
function withBudget(budget: Budget | undefined, longWords = 100, more: Record<string, string> = {}): string {
  return project({
    'definitions/short.ts': tool('short', 1),
    'definitions/long.ts': tool('long', longWords),
    'callsheet.config.json': JSON.stringify({
      dialects: ['json-schema'],
      activities: ['short', 'long'],
      budget,
    }),
    ...more,
  })
}

/** A tokenizer that counts words, in the place of the real one. */
const tokenizer = {
  'node_modules/gpt-tokenizer/package.json': '{"name":"gpt-tokenizer","main":"index.cjs"}',
  'node_modules/gpt-tokenizer/index.cjs': "exports.encode = (text) => text.split(' ')",
}

const ofBudget = async (cwd: string): Promise<string[]> =>
  (await lint({ cwd })).findings
    .filter(({ rule }) => rule.startsWith('budget'))
    .map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`)

describe('DIFF-6: a budget', () => {
  test('that is kept says nothing', async () => {
    const budget = {
      bytes: 100_000,
      toolBytes: 10_000,
      tokens: 10_000,
      dialects: { 'json-schema': { toolTokens: 900 } },
    }
    expect(await ofBudget(withBudget(budget, 100, tokenizer))).toEqual([])
  })

  test.each<[string, Budget, RegExp]>([
    [
      'bytes in all',
      { bytes: 500 },
      /^error budget: Dialect json-schema: the Tools weigh [\d,]+ bytes, and the budget is 500\. Most of it: long \d+, short \d+\.$/,
    ],
    ['bytes of a Tool', { toolBytes: 400 }, /long weighs \d+ bytes, and the budget of a Tool is 400/],
    ['tokens in all', { tokens: 50 }, /the Tools weigh \d+ tokens, and the budget is 50\. Most of it: long/],
    ['tokens of a Tool', { toolTokens: 50 }, /long weighs \d+ tokens/],
    [
      'one dialect, over what is said of all',
      { bytes: 100_000, dialects: { 'json-schema': { bytes: 1 } } },
      /the budget is 1\./,
    ],
  ])('of %s that is passed is an error with the Tools that weigh most', async (_what, budget, message) => {
    const folder = withBudget(budget, 100, tokenizer)
    expect(await ofBudget(folder)).toEqual([expect.stringMatching(message)])
    const { findings } = await lint({ cwd: folder })
    expect(findings.find(({ rule }) => rule === 'budget')).toMatchObject({
      tool: 'long',
      at: { file: 'definitions/long.ts' },
    })
    expect((await callsheet(folder, ['lint'])).code).toBe(1)
  })

  test.each<[Budget, string[]]>([
    [{ bytes: 1, toolBytes: 400 }, ['budget.bytes', 'budget.toolBytes']],
    [
      { bytes: 9_000, toolBytes: 9_000, dialects: { 'json-schema': { bytes: 1, toolBytes: 400 } } },
      ['budget.dialects.json-schema.bytes', 'budget.dialects.json-schema.toolBytes'],
    ],
    [
      { toolBytes: 400, dialects: { 'json-schema': { bytes: 1 } } },
      ['budget.dialects.json-schema.bytes', 'budget.toolBytes'],
    ],
  ])('%j that is passed names the option to raise', async (budget, options) => {
    const { findings } = await lint({ cwd: withBudget(budget) })
    const raised = findings.flatMap(({ fix }) => /raise (\S+) in/.exec(fix)?.[1] ?? [])
    expect([...new Set(raised)].sort()).toEqual(options)
  })

  test('that is wrong: each part that is, by its place', () => {
    const wrong = { tokens: -1, zzz: 1, ratchet: '/x', dialects: { opnai: {}, openai: { bytes: '5' } } }
    expect(budgetFault(wrong)).toMatch(
      /; not right: tokens, zzz, dialects\.opnai, dialects\.openai\.bytes, ratchet$/,
    )
    expect(budgetFault({ dialects: [] })).toMatch(/; not right: dialects$/)
  })

  test('is held by generate --check, and does not keep generate from writing', async () => {
    const folder = withBudget({ bytes: 500 })
    expect((await callsheet(folder, ['generate'])).code).toBe(0)
    const report = await check({ cwd: folder })
    expect(report.changes).toEqual([])
    expect(report.ok).toBe(false)
    expect(report.findings.map(({ rule }) => rule)).toContain('budget')
    const { code, err } = await callsheet(folder, ['generate', '--check'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('the budget is 500') })
    expect(err).toMatch(/\n1 error\. \d+ files as generated\. /)
    fill(folder, { 'generated/types.ts': '// @generated by callsheet\n' })
    const stale = await callsheet(folder, ['generate', '--check'])
    expect(stale.err).toMatch(/\n1 error\. 1 file not as generated\. Run `callsheet generate` and commit/)
  })

  test('in tokens, without a tokenizer, says that they are not counted', async () => {
    expect(await ofBudget(withBudget({ tokens: 1 }))).toEqual([
      expect.stringMatching(/^note budget-not-counted/),
    ])
  })

  test('of a dialect that is not generated says that it is not checked', async () => {
    const budget = { dialects: { gemini: { bytes: 1 }, 'json-schema': { bytes: 100_000 } } }
    expect(await ofBudget(withBudget(budget))).toEqual([
      'warning budget-not-counted: The budget limits dialect gemini, in which nothing is generated, so these limits are not checked.',
    ])
  })

  test.each([
    [5],
    [{ byte: 1 }],
    [{ bytes: -1 }],
    [{ bytes: 1.5 }],
    [{ bytes: '9' }],
    [{ dialects: { opena: {} } }],
    [{ dialects: { openai: { ratchet: 'x' } } }],
    [{ ratchet: '/etc/passwd' }],
    [{ ratchet: '' }],
  ])('%j is none', (budget) => {
    expect(budgetFault(budget)).toMatch(/^an object of bytes/)
  })
})

describe('DIFF-6: a ratchet', () => {
  const file = 'callsheet.budget.json'
  const figures = (folder: string) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')).generated['json-schema']

  test('is made in a folder that does not exist yet', async () => {
    const folder = withBudget({ ratchet: 'figures/budget.json' })
    expect((await callsheet(folder, ['lint', '--budget', 'accept'])).code).toBe(0)
    expect(await ofBudget(folder)).toEqual([])
  })

  test('is made by --budget accept, keeps figures in git, and lets them only fall', async () => {
    const folder = withBudget({ ratchet: file })
    expect(await ofBudget(folder)).toEqual([
      expect.stringMatching(/^error budget-ratchet: .* has no figures for it/),
    ])
    expect((await callsheet(folder, ['lint', '--budget', 'accept'])).code).toBe(0)
    const first = figures(folder)
    expect(first).toEqual({ bytes: expect.any(Number) })
    expect(await ofBudget(folder)).toEqual([])

    fill(folder, { 'definitions/long.ts': tool('long', 110) })
    expect(await ofBudget(folder)).toEqual([
      expect.stringMatching(
        /error budget-ratchet: .*50 more than recorded in callsheet\.budget\.json\. Most of it: long/,
      ),
    ])
    expect((await callsheet(folder, ['lint', '--budget', 'lower'])).code).toBe(1)
    expect(figures(folder)).toEqual(first)
    expect((await callsheet(folder, ['lint', '--budget', 'accept'])).code).toBe(0)
    expect(figures(folder)).toEqual({ bytes: first.bytes + 50 })

    fill(folder, { 'definitions/long.ts': tool('long', 90) })
    expect(await ofBudget(folder)).toEqual([expect.stringMatching(/^note budget-ratchet: .* 100 bytes less/)])
    expect((await callsheet(folder, ['lint', '--budget', 'lower'])).code).toBe(0)
    expect(figures(folder)).toEqual({ bytes: first.bytes - 50 })
    expect(await ofBudget(folder)).toEqual([])
  })

  test('keeps the tokens that were counted where none can be counted, and holds bytes meanwhile', async () => {
    const folder = withBudget({ ratchet: file }, 100, {
      ...tokenizer,
      [file]: '{"generated":{"json-schema":{"bytes":99999,"tokens":9999}}}',
    })
    await callsheet(folder, ['lint', '--budget', 'lower'])
    const counted = figures(folder)
    expect(counted.tokens).toBeLessThan(9999)
    const without = withBudget({ ratchet: file }, 90, {
      [file]: `\uFEFF${readFileSync(join(folder, file), 'utf8')}`,
    })
    await callsheet(without, ['lint', '--budget', 'lower'])
    expect(figures(without)).toEqual({ bytes: counted.bytes - 50, tokens: counted.tokens })
  })

  test.each(['{', '[]', '{"generated":{"json-schema":{"bytes":"1"}}}', '{"generated":5}'])(
    'that holds %s is refused',
    async (text) => {
      const { code, err } = await callsheet(withBudget({ ratchet: file }, 1, { [file]: text }), ['lint'])
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining('is not a file of budget figures'),
      })
    },
  )

  test('is written only where one is configured', async () => {
    const folder = withBudget(undefined)
    const { code, err } = await callsheet(folder, ['lint', '--budget', 'accept'])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('No budget sets `ratchet`') })
    expect(existsSync(join(folder, file))).toBe(false)
  })
})

describe('DIFF-6: lint shows where it goes', () => {
  test('Tool by Tool, the largest first; in bytes, or in tokens where a tokenizer is installed', async () => {
    const inBytes = await callsheet(withBudget(undefined), ['lint'])
    expect(inBytes.out).toMatch(
      /Where it goes\n\s*bytes +json-schema\n\s*long +\d+\n\s*short +\d+\n\s*shared by all +\d+\n\s*in all/,
    )
    const inTokens = await callsheet(withBudget(undefined, 100, tokenizer), ['lint'])
    expect(inTokens.out).toMatch(/Where it goes\n\s*tokens +json-schema\n\s*long/)
    const { sets } = JSON.parse((await callsheet(withBudget(undefined), ['lint', '--format', 'json'])).out)
    const [weight] = sets[0].weights
    const sum = [...weight.tools, weight.shared].reduce(
      (total: number, { bytes }: { bytes: number }) => total + bytes,
      0,
    )
    expect(weight).toMatchObject({ dialect: 'json-schema', bytes: sum })
  })
})
