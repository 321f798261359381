import { describe, expect, test } from 'vitest'
import { callsheet, definition, project } from '../cli/in-terminal.ts'

const source = definition('a').replace(
  'query: Type.String()',
  'query: Type.String({ minLength: 2 }), extra: Type.Optional(Type.Record(Type.String(), Type.Number()))',
)
/** Stands for the real tokenizer, which is large: a token for each four characters. */
const tokenizer = {
  'node_modules/gpt-tokenizer/package.json':
    '{"name":"gpt-tokenizer","type":"module","exports":"./index.js"}',
  'node_modules/gpt-tokenizer/index.js':
    'export const encode = (text) => Array(Math.ceil(text.length / 4))\n',
}

describe('callsheet explain', () => {
  test('shows the Tool as each dialect sees it, with its size, losses and stand-ins', async () => {
    const { code, out, err } = await callsheet(project({ 'definitions/a.ts': source }), ['explain', 'a'])
    expect(code).toBe(0)
    expect(out).toMatch(/^a \(definitions\/a\.ts:3:14\)\n/)
    expect(out).toMatch(
      /\njson-schema +\d+ +0 +0\nopenai +\d+ +\d +\d +\d of them still checked before the Tool runs\n/,
    )
    expect(out).toMatch(/minLength 2: described, still checked/)
    expect(out).toMatch(/extra goes as entries/)
    expect(err).toBe('To count tokens, install gpt-tokenizer: npm install --save-dev gpt-tokenizer\n')
  })

  test('shows what dialects say alike once, at the place within the Tool', async () => {
    const { out } = await callsheet(
      project({
        'callsheet.config.json': JSON.stringify({ dialects: ['json-schema', 'openai', 'mistral', 'mcp'] }),
        'definitions/a.ts': source,
      }),
      ['explain', 'a'],
    )
    expect(out).toMatch(/\njson-schema, mcp\n\{/)
    expect(out).toContain('\nopenai, mistral\nNot sent as declared:\n')
    expect(out).toContain('\n  /properties/query minLength 2: described')
    expect(out.match(/"_reasoningForCall"/g)?.length).toBeLessThanOrEqual(6)
    expect(out).not.toContain('"calls"')
  })

  test('counts tokens where the project has the tokenizer', async () => {
    const folder = project({ 'definitions/a.ts': source, ...tokenizer })
    const { out, err } = await callsheet(folder, ['explain', 'a', '--format', 'json'])
    const [{ dialects }] = JSON.parse(out)
    expect(err).toBe('')
    for (const { bytes, tokens, schema } of dialects) {
      expect(bytes).toBe(Buffer.byteLength(JSON.stringify(schema)))
      expect(tokens).toBe(Math.ceil(JSON.stringify(schema).length / 4))
    }
  })

  test.each([
    [['explain'], 'explain takes the name of one Tool, got none.'],
    [['explain', 'a', 'b'], 'explain takes the name of one Tool, got a, b.'],
    [['explain', 'serch'], 'There is no Tool "serch". Did you mean "search"?'],
    [['explain', 'constructor'], 'There is no Tool "constructor".'],
  ])('%j is wrong usage', async (args, want) => {
    const folder = project({ 'definitions/search.ts': definition('search') })
    expect(await callsheet(folder, args)).toEqual({ code: 2, out: '', err: expect.stringContaining(want) })
  })
})
