import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { latentModel } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { generate } from '../../../../codegen/generate.ts'
import { loadDefinitions } from '../../../../codegen/load/load-definitions.ts'
import type { Call } from '../../../../runtime/context/message.ts'
import type { ToolApi } from '../../../../runtime/registry/registry-api.ts'
import { project } from './project.ts'

const object = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const input = { type: 'input', input: { text: '' }, schema: object({ text: { type: 'string' } }) }
const summarise = {
  schema: object({ summary: { type: 'string' } }),
  context: [{ type: 'text', role: 'system', text: 'Summarise the input.' }, input],
}
const jokes = `export const joke = {
  schema: { type: 'object', description: 'Tells a joke.', properties: { joke: { type: 'string' } }, required: ['joke'] },
  context: [{ type: 'text', role: 'system', text: 'Tell a joke.' }],
}
`

async function load(files: Record<string, string>) {
  return loadDefinitions({ root: project(files), definitions: ['definitions'] })
}

const ideaFile = (idea: unknown): Record<string, string> => ({
  'definitions/summarise.idea.json': JSON.stringify(idea, null, 2),
})

describe('REQ-11 Ideas in a definitions folder are definitions', () => {
  test('a file *.idea.json and an export: Tools by their names, with the parameters of their inputs', async () => {
    const { definitions, findings } = await load({ ...ideaFile(summarise), 'definitions/jokes.ts': jokes })
    expect(findings).toEqual([])
    const shapes = definitions.map(({ kind, name, value, idea }) => {
      const { properties = {} } = value as { properties?: object }
      return [kind, name, Object.keys(properties), idea?.context.length]
    })
    expect(shapes).toEqual([
      ['tool', 'joke', ['_tool', '_delegate', '_output'], 1],
      ['tool', 'summarise', ['_tool', '_delegate', 'text', '_output'], 2],
    ])
  })

  test('a solution that fits its schema is kept, as a Vessel is', async () => {
    const vessel = {
      ...summarise,
      solution: { summary: 'Ice.' },
      model: 'm',
      usage: { in: 1, out: 1, cached: 0 },
    }
    const { definitions, findings } = await load(ideaFile(vessel))
    expect(findings).toEqual([])
    expect(definitions[0]?.idea).toEqual({ ...summarise, solution: { summary: 'Ice.' } })
  })

  const wrong: [string, unknown, string, number][] = [
    [
      'a solution that breaks its schema',
      { ...summarise, solution: { summary: 4 } },
      '/summary: expected a string, got 4',
      38,
    ],
    ['no context', { schema: {} }, 'expected { schema, context, solution? }', 1],
    ['a Message that is none', { schema: {}, context: [4] }, 'Message 0 of "summarise"', 1],
    [
      'an input that is no object',
      { schema: {}, context: [{ ...input, schema: { type: 'number' } }] },
      'needs an object schema',
      1,
    ],
    [
      'an input with a meta-field',
      { schema: {}, context: [{ ...input, schema: object({ _activity: { const: 'pay' } }) }] },
      'declares _activity',
      1,
    ],
    ['a list', [summarise], 'expected { schema, context, solution? }', 1],
  ]
  test.each(wrong)('%s is a finding', async (_what, idea, message, line) => {
    const { definitions, findings } = await load(ideaFile(idea))
    expect(definitions).toEqual([])
    expect(findings).toMatchObject([
      {
        rule: 'malformed-idea',
        severity: 'error',
        message: expect.stringContaining(message),
        at: { file: 'definitions/summarise.idea.json', line },
      },
    ])
  })

  test('an exported Idea that JSON cannot hold is a finding too', async () => {
    const text = `export const joke = { schema: { type: 'string' }, context: [], solution: 4n }\n`
    const { findings } = await load({ 'definitions/a.ts': text })
    expect(findings.map(({ rule }) => rule)).toEqual(['malformed-idea'])
  })

  test('an exported Idea of a class is read', async () => {
    const text = `class Joke { schema = { type: 'string' }; context = [{ type: 'text', text: 'Joke.' }] }`
    const { definitions, findings } = await load({
      'definitions/a.ts': `${text}\nexport const joke = new Joke()\n`,
    })
    expect(findings).toEqual([])
    expect(definitions).toMatchObject([{ name: 'joke', idea: { schema: { type: 'string' } } }])
  })

  const library = "{ type: 'string', '~standard': { vendor: 'zod' }, min: () => 3 }"
  const text = "{ type: 'object', properties: { q: { type: 'string' } } }"
  test.each([
    ['its schema', `{ schema: ${library}, context: [] }`],
    ['a part of its schema', `{ schema: { type: 'array', items: ${library} }, context: [] }`],
    ['its input', `{ schema: ${text}, context: [{ type: 'input', input: {}, schema: ${library} }] }`],
    ['a function', `{ schema: { type: 'array', items: () => 1 }, context: [] }`],
  ])('TOOL-10 a schema of a validation library as %s is a finding, not half-read', async (_where, idea) => {
    const { definitions, findings } = await load({ 'definitions/a.ts': `export const joke = ${idea}\n` })
    expect(definitions).toEqual([])
    expect(findings).toMatchObject([
      {
        rule: 'malformed-idea',
        message: expect.stringMatching(/is a schema of zod|is no schema \(Function\)/),
      },
    ])
  })

  test('a list of Ideas has no names to give', async () => {
    const { findings } = await load({
      'definitions/a.ts': `export const all = [{ schema: {}, context: [] }]\n`,
    })
    expect(findings).toMatchObject([{ rule: 'malformed-tool', message: expect.stringContaining('name') }])
  })

  test('generated: typed, composed, called by its builder, with input and without', async () => {
    const root = project({
      ...ideaFile(summarise),
      'definitions/jokes.ts': jokes,
      'callsheet.config.json': '{ "dialects": ["json-schema"] }',
    })
    const report = await generate({ cwd: root })
    expect(report.findings.filter(({ severity }) => severity !== 'note')).toEqual([])
    const read = (file: string): string => readFileSync(join(root, 'generated', file), 'utf8')
    expect(read('types.ts')).toMatch(/summarise\(params: SummariseArguments, .*BuiltCall<SummariseOutput/)
    expect(read('types.ts')).toMatch(/ {2}joke\(params\?: JokeArguments/)
    expect(read('composed/json-schema.json')).toContain('"const":"joke"')
    // The generated module is TypeScript of another folder, which only the test runner can import.
    const { Tool, calls } = (await import(join(root, 'generated/index.ts'))) as {
      Tool: ToolApi
      calls: Record<'joke' | 'summarise', (parameters?: object) => Call>
    }
    const client = scriptedModel([
      { output: { summary: 'Ice that moves.' } },
      { output: { joke: 'Two bits meet.' } },
    ])
    const model = latentModel({ model: 'm', client })
    expect(await Tool(calls.summarise({ text: 'A glacier …' }), { model })).toEqual({
      summary: 'Ice that moves.',
    })
    expect(await Tool(calls.joke(), { model })).toEqual({ joke: 'Two bits meet.' })
    expect(JSON.stringify(client.requests)).toContain('Summarise the input.')
  })
})
