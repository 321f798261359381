import { type Call, type CallTracer, createRegistry, isCallsheetError, type RegistryOptions } from 'callsheet'
import { Agent, type AgentOptions, type IdeaData, LoopError, latentModel } from 'callsheet/agent'
import { toolServer } from 'callsheet/server'
import { type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

const secret = 'hunter2'
const own = { config: { headers: { authorization: `Bearer ${secret}` } } }

/** Ways to fail that carry a secret: in the text, and where no text tells of it. */
const failures: Readonly<Record<string, () => unknown>> = {
  'in its text': () => new Error(`No access with ${secret}.`),
  'in its code': () => Object.assign(new Error('No access.'), { code: `E_${secret}` }),
  'in its name': () => ({ name: `Mr ${secret}`, message: 'No access.' }),
  'in its cause': () => new Error('No access.', { cause: new Error(secret) }),
  'in a member': () => Object.assign(new Error('No access.'), own),
  'in its stack': () => Object.assign(new Error('No access.'), { stack: `at ${secret}.ts:1:1` }),
  'no error': () => ({ message: secret, ...own }),
  'a text': () => secret,
}
const told: readonly string[] = ['in its text', 'in its code', 'no error', 'a text']

const text = { type: 'string' } as const
const idea: IdeaData = {
  context: [
    { type: 'text', text: 'You are inside.' },
    { type: 'tool', tool: { properties: { _tool: { const: 'fails' } } } },
  ],
  schema: text,
}
const toolOf = (name: string, effects: 'read' | 'write', properties: object, required: string[] = []) => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, ...properties },
  required: ['_tool', ...required],
})
const tools = {
  fails: toolOf('fails', 'read', { _outputPath: text, text, _output: text }),
  pays: toolOf('pays', 'write', { _outputPath: text, text, _output: text }),
  // Gives what its schema does not allow, which the error quotes.
  lies: toolOf('lies', 'read', { _outputPath: text, text, _output: { type: 'number' } }),
  echo: toolOf('echo', 'read', { text: {}, _output: {} }, ['text']),
  judge: toolOf('judge', 'read', { _activity: { const: '' }, text: {}, _output: text }, ['text']),
  ask: toolOf('ask', 'read', { _delegate: { const: 'ask' }, _output: text }),
}

function failing(kind: string, options: RegistryOptions = {}) {
  const { Tool, Activity } = createRegistry({ ...options, tools, ideas: { ask: idea } })
  const fail = (): never => {
    throw failures[kind]?.()
  }
  Activity.register('fails', fail)
  Activity.register('pays', fail)
  Activity.register('lies', () => secret)
  Activity.register('echo', ({ text }) => text)
  return { Tool, Activity }
}

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record(
    {
      _tool: fc.constantFrom('fails', 'pays', 'lies'),
      _outputPath: fc.constantFrom(
        '†state.ok',
        '†state.ok || †state.lost',
        '†state.ok || †state.list.lost && †state.lost',
      ),
      text: fc.constantFrom('hello', '†state.lost.message'),
    },
    { requiredKeys: ['_tool'] },
  ),
  fc.record({
    _tool: fc.constantFrom('echo', 'judge'),
    text: fc.constantFrom('†state.lost', '†state.lost.message', 'hello'),
  }),
  fc.constant<Call>({ _tool: 'ask' }),
)

fuzz(
  'REQ-8, OUT-6 what `redact` hides no model reads, whatever fails, and wherever that is written',
  60,
  fc.record({
    kind: fc.constantFrom(...Object.keys(failures)),
    calls: fc.array(call, { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom('native' as const, 'composed' as const),
    early: fc.constantFrom(undefined, 'safe' as const, 'all' as const),
    isRetried: fc.boolean(),
    // A model of another agent's, with Tools.
    isOther: fc.boolean(),
  }),
  async ({ kind, calls, mode, early, isRetried, isOther }) => {
    const { Tool } = failing(kind, isRetried ? { retry: { attempts: 2 } } : {})
    let inside = 0
    let outside = 0
    const turn: ScriptedTurn = ({ body }) => {
      const said = JSON.stringify(body)
      if (said.includes('Give the output of one call')) return { output: 'good' }
      if (said.includes('You are inside.'))
        return inside++ % 2 === 0 ? { calls: [{ _tool: 'fails' }] } : { output: 'out' }
      return outside++ === 0 ? { calls } : { output: 'done' }
    }
    const client = scriptedModel(Array.from({ length: 60 }, () => turn))
    const redact: AgentOptions['redact'] = () => ({ code: 'hidden', message: 'It failed.' })
    const result = await Agent({
      ...{ model: 'm', client, tools: Tool, output: text, redact, mode, retry: { attempts: 1 } },
      ...(early && { stream: true, early }),
      ...(isOther && { latent: latentModel({ model: 'o', client, tools: Tool, mode }) }),
    }).catch((error: unknown) => {
      if (error instanceof LoopError) return error.result
      throw error
    })
    // What reads what nobody writes goes on waiting.
    expect(result.outcomes.length + result.waiting.length).toBe(calls.length)
    expect(JSON.stringify(client.requests.map(({ body }) => body))).not.toContain(secret)
    expect(
      JSON.stringify([result.context, result.waiting, result.turns.map(({ appended }) => appended)]),
    ).not.toContain(secret)
  },
)

fuzz(
  'CALL-10, SERVE-2 stacks, causes and members of what was thrown reach nobody: no client, no span, no record',
  60,
  fc.record({
    kind: fc.constantFrom(...Object.keys(failures)),
    name: fc.constantFrom('fails', 'pays', 'lies'),
    path: fc.constantFrom('/calls', '/tools', '/mcp'),
  }),
  async ({ kind, name, path }) => {
    const spans: unknown[] = []
    const tracer: CallTracer = {
      startActiveSpan: (...[spanName, options, work]) => {
        spans.push(spanName, options)
        return work({
          setAttribute: (...given) => spans.push(given),
          setStatus: (status) => spans.push(status),
          end: () => {},
        })
      },
    }
    const { Tool } = failing(kind, { telemetry: { tracer } })
    const server = toolServer(Tool, { onError: () => {} })
    const ask =
      path === '/mcp'
        ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
        : { _tool: name }
    const response = await server(
      new Request(`http://localhost${path === '/tools' ? `/tools/${name}` : path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(path === '/tools' ? {} : ask),
      }),
    )
    const answer = await response.text()
    expect(answer).toMatch(/activity_failed|invalid_output/)
    const outcome = await Tool.run({ _tool: name })
    const thrown: unknown = await Tool({ _tool: name }).catch((error: unknown) => error)
    expect(isCallsheetError(thrown)).toBe(true)
    expect(JSON.stringify(spans)).not.toContain(secret)
    if (name === 'lies' || told.includes(kind)) return
    expect(JSON.stringify([answer, outcome, thrown])).not.toContain(secret)
    await server.close()
  },
)
