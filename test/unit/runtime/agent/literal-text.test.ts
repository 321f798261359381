import { createRegistry, tool } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { type ScriptedAnswer, scriptedModel } from 'callsheet/testing'
import { expect, test } from 'vitest'

const text = { type: 'string' }
const number = { type: 'number' }
const _outputPath = { type: 'string' }

/** `post` takes its text as it comes and its number as a Reference; `quote` takes nothing as one. */
const tools = {
  count: tool('count', { _outputPath, _output: number }),
  post: tool('post', { body: { ...text, references: false }, size: number, _output: text }),
  quote: {
    ...tool('quote', { lines: { type: 'array', items: text }, size: number, _output: text }),
    references: false,
  },
}

/** Runs an agent over one answer with Calls, and one that ends it. */
async function run(calls: ScriptedAnswer['calls']) {
  const { Tool, Activity } = createRegistry({ tools })
  const received: object[] = []
  Activity.register('count', () => 7)
  for (const name of ['post', 'quote']) {
    Activity.register(name, ({ _tool, _reasoningForCall, _activity, ...parameters }) => {
      received.push(parameters)
      return 'done'
    })
  }
  const bodies: string[] = []
  const model = scriptedModel([
    ({ body }) => {
      bodies.push(JSON.stringify(body))
      return { calls: calls ?? [] }
    },
    { output: 'ended' },
  ])
  const result = await Agent({
    model: 'm',
    client: model,
    tools: Tool,
    dialect: 'json-schema',
    context: [{ type: 'state', state: { secret: 'key' } }],
    output: text,
    maxTurns: 3,
  })
  return { result, received, sent: JSON.parse(bodies[0] ?? '{}') }
}

test('REF-1, REF-5 in the loop, text that may be no Reference stays text, waits for nothing and reads nothing', async () => {
  const { result, received } = await run([
    { _tool: 'post', body: '†state.secret', size: '†state.count' },
    { _tool: 'quote', lines: ['†state.count', '†state.nobody', '††'], size: 2 },
    { _tool: 'post', body: '†state.nobody', size: 1 },
    { _tool: 'count', _outputPath: '†state.count' },
  ])
  expect(result.outcomes.map(({ status, error }) => [status, error])).toEqual(
    Array(4).fill(['succeeded', undefined]),
  )
  // One turn ran them all: none was blocked by what reads like a Reference.
  expect(result.spent).toMatchObject({ turns: 2, calls: 4 })
  expect(received).toContainEqual({ body: '†state.secret', size: 7 })
  expect(received).toContainEqual({ body: '†state.nobody', size: 1 })
  expect(received).toContainEqual({ lines: ['†state.count', '†state.nobody', '††'], size: 2 })
})

test('REF-5 what is sent admits no Reference there, and a number that is one anyway is refused as text', async () => {
  const { sent, result, received } = await run([{ _tool: 'quote', lines: [], size: '†state.count' }])
  const branches = sent.response_format.json_schema.schema.properties.calls.items.anyOf
  const parameters = (name: string) =>
    branches.find(
      ({ properties }: { properties: { _tool: { const: string } } }) => properties._tool.const === name,
    ).properties
  expect(parameters('post').body).toEqual(text)
  expect(parameters('post').size).toEqual({ type: ['number', 'string'], pattern: '^†' })
  expect(parameters('quote').size).toEqual(number)
  expect(received).toEqual([])
  expect(result.outcomes.map(({ error }) => error?.problems?.map(({ path }) => path))).toEqual([['/size']])
})
