import { createRegistry } from 'callsheet'
import { Agent, type AgentOptions } from 'callsheet/agent'
import { testModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const depth = 20_000
const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
const text = { type: 'string' }
const schema = (name: string, property: object) => ({
  type: 'object',
  effects: 'read',
  properties: { _tool: { const: name }, v: property, _output: text },
  required: ['_tool', 'v'],
})

/** Runs an agent whose model makes two calls in its first answer, the first of which nests deep. */
async function run(first: string, options: Partial<AgentOptions>) {
  const { Tool, Activity } = createRegistry({ tools: { any: schema('any', {}), say: schema('say', text) } })
  const ran: unknown[] = []
  for (const name of ['any', 'say']) Activity.register(name, ({ v }) => String(ran.push(v)))
  const toolCalls = [
    { name: 'any', arguments: first },
    { name: 'say', arguments: '{"v":"x"}' },
  ]
  const calls = toolCalls.map(({ name, arguments: given }) => given.replace('{', `{"_tool":"${name}",`))
  const composed = `{"calls":[${calls.join()}],"output":null}`
  const done = options.mode === 'native' ? '{"output":"done"}' : '{"calls":[],"output":"done"}'
  const bodies: string[] = []
  const client = testModel(({ body }) => {
    if (bodies.push(JSON.stringify(body)) > 1) return { text: done }
    return options.mode === 'native' ? { toolCalls } : { text: composed }
  })
  const events: string[] = []
  const log = (event: object): void => void events.push(JSON.stringify(event))
  const result = await Agent({ model: 'm', client, tools: Tool, output: text, log, ...options })
  return { result, ran, bodies }
}

describe('REQ-6a, REQ-8b a Call that nests deeper than a stack costs itself alone, and the run can be stored', () => {
  const apis = ['chat', 'responses', 'messages'] as const
  const streams = [true, false]
  // As a value of the provider's own tools, and as JSON text, which stands for any value.
  const cases = apis.flatMap((api) =>
    streams.flatMap((stream) => [
      { api, stream, mode: 'native' as const, first: `{"v":${deep}}` },
      { api, stream, mode: 'native' as const, first: `{"v":"${deep}"}` },
      { api, stream, mode: 'composed' as const, first: `{"v":"${deep}"}` },
    ]),
  )
  test.each(cases.map(({ first, ...options }) => [options, first.charAt(5) === '"', first] as const))(
    '%j, as text: %j',
    async (options, _isText, first) => {
      const { result, ran, bodies } = await run(first, options)
      expect(result.output).toBe('done')
      expect(ran).toEqual(['x'])
      const codes = result.outcomes.map(({ tool, error }) => [tool, error?.code])
      expect(codes.toSorted()).toEqual([
        ['any', 'invalid_call'],
        ['say', undefined],
      ])
      expect(bodies[1]).toContain('nest')
      expect(JSON.stringify(result)).not.toContain('[[[[[')
    },
  )

  test.each(['native', 'composed'] as const)('an output, %s', async (mode) => {
    const said = (value: string): string => `{"calls":[],"output":${JSON.stringify(value)}}`
    const answers = [said(deep), said('5')]
    const client = testModel(() => ({ text: answers.shift() ?? '' }))
    const { Tool } = createRegistry({ tools: { say: schema('say', text) } })
    const result = await Agent({ model: 'm', client, tools: Tool, output: {}, mode }).catch((error) => error)
    expect(result).toMatchObject({ output: 5 })
  })
})
