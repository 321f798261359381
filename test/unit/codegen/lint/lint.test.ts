import { describe, expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'
import { contents, fill } from '../write/temporary-folder.ts'

/** A Tool with many parameters, so that a limit of OpenAI (5,000 properties in one schema) is near or passed. */
function wide(name: string, properties: number): string {
  return `import { Type } from 'typebox'
const members = Object.fromEntries(Array.from({ length: ${properties} }, (_, index) => ['p' + index, Type.String()]))
export const ${name} = Type.Object({ _tool: Type.Literal('${name}'), group: Type.Object(members), _output: Type.String() }, { description: 'x', additionalProperties: false })
`
}
const config = (mode?: string, dialect = 'openai'): string =>
  JSON.stringify({ dialects: [mode === undefined ? dialect : { dialect, mode }] })

/** A Tool that nests deeper than OpenAI takes; native tools begin at their own root. */
function deep(levels: number): string {
  const inner = Array.from({ length: levels }).reduce<string>(
    (type) => `Type.Object({ a: ${type} })`,
    'Type.String()',
  )
  return `import { Type } from 'typebox'
export const deep = Type.Object({ _tool: Type.Literal('deep'), a: ${inner}, _output: Type.String() }, { description: 'x' })
`
}

describe('REQ-5a, REQ-5c: limits at generation', () => {
  test('a documented limit that is passed fails a dialect of mode composed, with the heaviest Tool and the way out', async () => {
    const folder = project({
      'callsheet.config.json': config('composed'),
      'definitions/wide.ts': wide('wide', 5_000),
      'definitions/a.ts': definition('a'),
    })
    const { code, err } = await callsheet(folder, ['generate'])
    expect(code).toBe(1)
    expect(err).toMatch(
      /definitions\/wide\.ts:3:14 error dialect-limit: Dialect openai: .* of 5,000 \(OpenAI .* read 2026-/,
    )
    expect(err).toContain('Most of it: wide 5,00')
    expect(err).toMatch(
      /fix: Configure { dialect: 'openai', mode: 'auto' }: .*native tools.* Or make it fit: .*without wide/,
    )
    expect(contents(folder)).not.toHaveProperty('generated/index.ts')
  })

  test('an observed limit warns; only what has native tools is told to use them', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`definitions/t${index}.ts`, definition(`t${index}`)]),
    )
    const tell = async (dialect: string, files: Record<string, string>): Promise<string> => {
      const { code, err } = await callsheet(
        project({ 'callsheet.config.json': config('composed', dialect), ...files }),
        ['generate'],
      )
      expect(code).toBe(0)
      return err
    }
    const anthropic = await tell('anthropic', many)
    expect(anthropic).toMatch(
      /warning dialect-limit: Dialect anthropic: .* an observed limit\. objects: \d+ of 8/,
    )
    expect(anthropic).toContain("fix: Configure { dialect: 'anthropic', mode: 'native' }")
    const xgrammar = await tell('xgrammar', { 'definitions/w.ts': wide('w', 12_000) })
    expect(xgrammar).toMatch(
      /warning dialect-limit: Dialect xgrammar: .* an observed limit\. bytes: 4\d\d,\d+ of/,
    )
    expect(xgrammar).not.toContain('Configure {')
  })

  test('mode auto goes over to native tools, says so, and takes the composed schema away', async () => {
    const small = { 'callsheet.config.json': config(), 'definitions/deep.ts': deep(2) }
    const folder = project(small)
    await callsheet(folder, ['generate'])
    expect(contents(folder)).toHaveProperty('generated/composed/openai.json')
    fill(folder, { 'definitions/deep.ts': deep(7) })
    const { code, err } = await callsheet(folder, ['generate'])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /note dialect-native: Dialect openai: one composed schema passes a limit, so native\/openai\.json lists native tools/,
      ),
    })
    const files = contents(folder)
    expect(files).not.toHaveProperty('generated/composed/openai.json')
    expect(JSON.parse(files['generated/native/openai.json'] ?? '')).toMatchObject([
      { type: 'function', name: 'deep', strict: true },
    ])
    expect((await callsheet(folder, ['generate', '--check'])).code).toBe(0)
  })

  test('what passes the limits as a native tool as well is not strict, and is named', async () => {
    const folder = project({ 'callsheet.config.json': config(), 'definitions/deep.ts': deep(12) })
    const { code, err } = await callsheet(folder, ['generate'])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /definitions\/deep\.ts:2:14 warning dialect-not-strict: Dialect openai: Tool "deep" exceeds a limit by itself/,
      ),
    })
    expect(JSON.parse(contents(folder)['generated/native/openai.json'] ?? '')).toMatchObject([
      { name: 'deep', strict: false },
    ])
  })

  test('a Tool that is off is not named as one that is not strict', async () => {
    const off = deep(12).replace("description: 'x'", 'enabled: false')
    const folder = project({
      'callsheet.config.json': config('native'),
      'definitions/deep.ts': off,
      'definitions/a.ts': definition('a'),
    })
    const { code, err } = await callsheet(folder, ['generate'])
    expect(code).toBe(0)
    expect(err).not.toContain('dialect-not-strict')
  })

  test('near a limit is a warning, and generates', async () => {
    const folder = project({ 'callsheet.config.json': config(), 'definitions/wide.ts': wide('wide', 4_500) })
    const { code, err } = await callsheet(folder, ['generate'])
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('warning dialect-limit-near: Dialect openai'),
    })
  })

  test('mode native gives the provider’s tools; a dialect without any says so', async () => {
    const folder = project({
      'callsheet.config.json': config('native', 'anthropic'),
      'definitions/a.ts': definition('a'),
    })
    await callsheet(folder, ['generate'])
    expect(JSON.parse(contents(folder)['generated/native/anthropic.json'] ?? '')).toMatchObject([
      { name: 'a', input_schema: {} },
    ])
    const none = project({
      'callsheet.config.json': config('native', 'xgrammar'),
      'definitions/a.ts': definition('a'),
    })
    const { code, err } = await callsheet(none, ['generate'])
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('error dialect-without-native: Dialect xgrammar'),
    })
  })
})

describe('callsheet lint', () => {
  const plain = definition('a')
    .replace(", { description: 'Made for a test.' }", '')
    .replace('query: Type.String()', 'query: Type.String({ minLength: 2 })')

  test('findings down to notes, limits and losses as tables; notes alone are in order', async () => {
    const folder = project({ 'definitions/a.ts': plain })
    const { code, out, err } = await callsheet(folder, ['lint'])
    expect(code).toBe(0)
    expect(err).toContain('note no-description: Tool "a"')
    expect(err).toContain('0 errors, 0 warnings, 2 notes.')
    expect(out).toMatch(
      /^1 tool\n\nLimits\ndialect +as +limit +used +of +status +largest share\nopenai +composed +properties +\d+ +5,000 +\d% +ok +a \d\n/,
    )
    expect(out).toMatch(/\nNot sent as declared\ndialect +keyword +times +becomes +and is +in\n/)
    expect(out).toMatch(/openai +minLength +1 +described +still checked +a\n/)
    expect(contents(folder)).not.toHaveProperty('generated/index.ts')
  })

  test.each([
    [
      'a warning',
      { 'callsheet.config.json': config(), 'definitions/w.ts': wide('w', 4_500) },
      'warning dialect-limit-near',
    ],
    ['an error', { 'definitions/b.ts': 'export const x = {' }, 'error unreadable-file'],
  ])('%s gives exit code 1', async (_title, files, want) => {
    const { code, err } = await callsheet(project(files), ['lint', '-s'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(want) })
  })

  test('as JSON and as annotations', async () => {
    const folder = project({ 'definitions/a.ts': plain })
    const { out } = await callsheet(folder, ['lint', '--format', 'json'])
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      findings: [{ rule: 'latent-by-default' }, { rule: 'no-description' }],
      sets: [
        {
          output: 'generated',
          tools: 1,
          dialects: [
            { dialect: 'json-schema', losses: [] },
            { dialect: 'openai', mode: 'composed' },
          ],
        },
      ],
    })
    const github = await callsheet(folder, ['lint', '--format', 'github'])
    expect(github.out).toMatch(/^::notice file=definitions\/a\.ts,line=3,col=14,title=latent-by-default::/)
  })
})
