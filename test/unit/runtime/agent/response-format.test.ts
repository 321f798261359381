import { Agent, askAgain, Idea, Request } from 'callsheet/agent'
import { type ModelRequest, randomModel, scriptedModel } from 'callsheet/testing'
import { expect, test } from 'vitest'
import { add, registryWithTools } from './tools.ts'

const apis = ['chat', 'responses', 'messages'] as const
const modes = ['composed', 'native'] as const
const formats = ['json_object', 'text'] as const
const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } as const

/** The type of the response format that a body asks for. */
function formatOf({ body }: ModelRequest): unknown {
  const { response_format, text, output_config } = body as Record<string, Record<string, unknown> | undefined>
  const format = response_format ?? text?.format ?? output_config?.format
  return (format as { type?: unknown } | undefined)?.type
}

const systemOf = ({ body }: ModelRequest): string => {
  const messages = (body.messages ?? body.input) as { role: string; content: string }[]
  return String(body.system ?? messages.find(({ role }) => role === 'system')?.content)
}

const cases = apis
  .flatMap((api) => modes.map((mode) => ({ api, mode })))
  .flatMap((each) => formats.map((responseFormat) => ({ ...each, responseFormat })))
  .filter(({ api, responseFormat }) => api !== 'messages' || responseFormat === 'text')

test.each(cases)(
  'REQ-6 a server that takes no schema: %j sends it in the prompt',
  async ({ api, mode, responseFormat }) => {
    const { Tool } = registryWithTools()
    const model = scriptedModel([
      { calls: [add(1, 2, { _outputPath: '†state.sum' })] },
      { calls: [{ _tool: 'judge', text: 'Hm.' }] },
      { output: { good: true } },
      { output: { sum: 3 } },
    ])
    const options = { model: 'm', client: model, api, responseFormat }
    const result = await Agent({ ...options, mode, tools: Tool, output })
    expect(result.output).toEqual({ sum: 3 })
    expect(model.requests).toHaveLength(4)
    const sent = responseFormat === 'text' ? undefined : responseFormat
    for (const request of model.requests) {
      expect(formatOf(request)).toBe(sent)
      expect(systemOf(request)).toMatch(/The JSON of an answer follows this JSON Schema:\n\{"type":"object",/)
    }
    // One text per run: what follows fits the provider's cache.
    expect(systemOf(model.requests[3] as ModelRequest)).toBe(systemOf(model.requests[0] as ModelRequest))
    expect(systemOf(model.requests[0] as ModelRequest).includes('"pay"')).toBe(mode === 'composed')

    const idea = scriptedModel([{ output: { sum: 4 } }])
    const { answer } = await askAgain(new Idea({ schema: output, context: [] }), { ...options, client: idea })
    expect(answer).toEqual({ sum: 4 })
    expect(idea.requests.map(formatOf)).toEqual([sent])
  },
)

test('REQ-6 without another format, the server gets the schema and the prompt does not', async () => {
  const { Tool } = registryWithTools()
  const model = scriptedModel([{ output: { sum: 3 } }])
  await Agent({ model: 'm', client: model, tools: Tool, output, responseFormat: 'json_schema' })
  expect(model.requests.map(formatOf)).toEqual(['json_schema'])
  expect(systemOf(model.requests[0] as ModelRequest)).not.toContain('JSON Schema')
})

test.each(cases)(
  'REQ-6 a model of callsheet/testing finds the schema beside texts that look like one: %j',
  async (options) => {
    const { Tool } = registryWithTools()
    const foreign = 'The JSON of an answer follows this JSON Schema:\n{"type":"string"}'
    const errors: unknown[] = []
    const run = Agent({
      ...{ ...options, model: 'm', client: randomModel({ seed: 2 }), maxTurns: 3 },
      ...{
        tools: Tool,
        output,
        instructions: foreign,
        context: [{ type: 'text', role: 'system', text: foreign }],
      },
      onSent: ({ error }) => errors.push(error),
    })
    await run.catch(() => undefined)
    expect(errors.filter((error) => error !== undefined)).toEqual([])
    expect(errors.length).toBeGreaterThan(0)
  },
)

const byText = "{ responseFormat: 'text' }"

test.each<[said: string, option: string | undefined, status?: number]>([
  ['This response_format type is unavailable now', byText],
  ["Function calling with a response mime type: 'application/json' is unsupported", byText],
  ['output_config: Extra inputs are not permitted', byText],
  ['json mode cannot be combined with tool/function calling', byText],
  ["Invalid schema for response_format 'solution': 'uri' is not a valid format", undefined],
  ["Bad request:\nInvalid schema for response_format 'solution'", undefined],
  ['2 errors:\n  tools.0.strict\n  extra inputs', '{ strict: false }', 422],
  ['Unknown model', undefined],
  ['No such model: strict', undefined, 404],
  ['The key is not one of the project "strict"', undefined, 401],
  ['Only supported in v1/responses and not in v1/chat/completions', "{ api: 'responses' }", 404],
  ['Cannot POST /v1/responses', undefined, 404],
  ["Invalid 'tools': array too long. Expected an array with maximum length 128.", '{ search: {}'],
  ['Too many tools: 200', '{ search: {}'],
  ['The compiled grammar is too large. Reduce the number of strict tools.', '{ strict: false }'],
  ["Item with id 'rs_1' not found", '{ store: false }', 404],
  ["Referenced reasoning item 'rs_1' was not found or has expired", '{ store: false }'],
  ['Function tools are not supported. To use them, use /v1/responses', "{ api: 'responses' }"],
  ['tools.0.custom.strict: Extra inputs are not permitted', '{ strict: false }'],
  ['["body","stream_options","include_usage"]: Extra inputs are not permitted', '{ stream_options: null }'],
])('REQ-6 a refusal that says "%s" leads to the option: %s', async (said, option, status = 400) => {
  const model = scriptedModel([
    () => {
      throw Object.assign(new Error(said), { status })
    },
  ])
  const error = await Request({ model: 'm', client: model, output }).catch((thrown: Error) => thrown)
  expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining(said) })
  expect((error as Error).message.match(/\{ \w+: (?!\{ )[^}]+\}/)?.[0]).toBe(option)
})

test.each(apis.flatMap((api) => modes.map((mode) => ({ api, mode }))))(
  'REQ-6 a server that does not know `strict`: nothing is sent as strict, over %j',
  async ({ api, mode }) => {
    const { Tool } = registryWithTools()
    const turns = [{ calls: [add(1, 2)] }, { output: { sum: 3 } }]
    const ask = async (strict?: boolean) => {
      const model = scriptedModel(turns)
      const options = { model: 'm', client: model, api, mode, tools: Tool, output, strict }
      expect((await Agent(options)).output).toEqual({ sum: 3 })
      return JSON.stringify(model.requests.map(({ body }) => body))
    }
    // The Responses API takes no word for true.
    expect(await ask(false)).not.toContain(api === 'responses' ? '"strict":true' : '"strict"')
    // Anthropic's response format has no such property.
    expect((await ask()).includes('"strict":true')).toBe(api !== 'messages' || mode === 'native')
  },
)

test('REQ-6 a server that does not know `stream_options`: null leaves them out, and nothing else', async () => {
  const ask = async (body: object) => {
    const model = scriptedModel([{ output: { sum: 3 } }])
    await Request({ model: 'm', client: model, output, stream: true, body: { ...body } })
    return model.requests[0]?.body
  }
  expect(await ask({})).toHaveProperty('stream_options')
  expect(await ask({ stream_options: null })).not.toHaveProperty('stream_options')
  await expect(ask({ messages: null })).rejects.toMatchObject({ code: 'invalid_options' })
})

test('REQ-6 what no API has is refused: JSON mode over messages, and formats of other names', async () => {
  const options = { model: 'm', client: scriptedModel([{ output: { sum: 3 } }]), output }
  const json = Request({ ...options, api: 'messages', responseFormat: 'json_object' })
  await expect(json).rejects.toMatchObject({ code: 'invalid_options', message: /has no JSON mode/ })
  // @ts-expect-error -- no format of the field
  await expect(Request({ ...options, responseFormat: 'json' })).rejects.toThrow(
    /\/responseFormat: expected "json_schema", "json_object" or "text", got "json"/,
  )
})
