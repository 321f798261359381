import { Agent } from 'callsheet/agent'
import { type ModelRequest, scriptedModel } from 'callsheet/testing'
import { expect, test } from 'vitest'
import { add, pay, registryWithTools } from './tools.ts'

/** Calls of every fate: done, written to the state, refused, unknown, failed, to be approved, waiting for another. */
const turns = [
  { calls: [add(1, 2, { _outputPath: '†state.a' }), pay(3)] },
  { calls: [add('one', 2), { _tool: 'unheardOf' }, add('†state.missing', 1)] },
  { calls: [add('†state.b', 1), add('†state.a', 4, { _outputPath: '†state.b' })] },
  { calls: [{ _tool: 'judge', text: 'Hm.', _output: { good: true } }, pay(-1)] },
  { output: 'done' },
]

/** What a provider reads first comes first: the tools, the schema of the answer, the messages. */
function sentParts({ body }: ModelRequest): string[] {
  const { tools, response_format, text, output_config, system, instructions, messages, input } = body
  const turnsSent = (messages ?? input) as { content?: unknown }[]
  return [{ tools, response_format, text, output_config, system, instructions }, ...turnsSent].map((part) =>
    JSON.stringify(part),
  )
}

/** True if a part goes on where an earlier one ended: composed answers are asked for by one message, whose text grows. */
const goesOn = (earlier: string, later: string): boolean => later.startsWith(earlier.replace(/["\]}]*$/, ''))

test.each(
  (['chat', 'responses', 'messages'] as const).flatMap((api) =>
    (['native', 'composed'] as const).map((mode) => ({ api, mode })),
  ),
)(
  'each request over $api, $mode, begins with the one before it, so that providers take it from their caches',
  async ({ api, mode }) => {
    const { Tool, ran } = registryWithTools()
    const model = scriptedModel(turns)
    const server = await model.listen()
    try {
      const { output } = await Agent({
        ...(api === 'messages'
          ? { provider: 'anthropic', body: { cache_control: { type: 'ephemeral' } } }
          : { api }),
        ...{
          model: 'm',
          baseURL: server.baseURL,
          apiKey: 'x',
          tools: Tool,
          mode,
          output: { type: 'string' },
        },
        context: [{ type: 'text', text: 'Add, and pay.' }],
        confirm: ({ amount }) => amount !== 3 || { refuse: 'too much' },
      })
      expect(output).toBe('done')
    } finally {
      await server.close()
    }
    expect(ran.length, 'Calls ran').toBeGreaterThan(2)
    expect(model.requests.length).toBe(turns.length)
    for (const [index, request] of model.requests.entries()) {
      if (api === 'messages') expect(request.body.cache_control).toEqual({ type: 'ephemeral' })
      const before = model.requests[index - 1]
      const parts = sentParts(request)
      const earlier = before ? sentParts(before) : []
      for (const [at, part] of earlier.entries()) expect(goesOn(part, parts[at] ?? ''), part).toBe(true)
    }
  },
)
