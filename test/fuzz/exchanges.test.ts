import { createRegistry } from 'callsheet'
import { Agent, type AgentOptions, LoopError, type SuspendedRun } from 'callsheet/agent'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'

type Json = Record<string, unknown>

/** A tool call of the model, as a server sends it. */
interface Said {
  readonly id: 'own' | 'same' | 'none'
  readonly name: string
  readonly arguments: string
}

const said: fc.Arbitrary<Said> = fc.record({
  id: fc.oneof(
    { weight: 8, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constantFrom('same' as const, 'none' as const) },
  ),
  name: fc.constantFrom('write', 'write', 'read', 'read', 'unknown'),
  arguments: fc.constantFrom('{"n":1}', '{"n":1}', '{"n":', '{"n":"x"}', '[]', '{"n":"†state.nothing"}'),
})
const turn = fc.record({
  calls: fc.array(said, { minLength: 1, maxLength: 4 }),
  text: fc.constantFrom('', '', ' ', 'Let me see.'),
})

/** A turn of the model in each API, and what a provider's server would refuse of a conversation. */
const apis = {
  chat: {
    answer: (ids: readonly (string | undefined)[], calls: readonly Said[], text: string) => ({
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: text,
            tool_calls: calls.map(({ name, arguments: given }, place) => ({
              id: ids[place],
              type: 'function',
              function: { name, arguments: given },
            })),
          },
        },
      ],
    }),
    wrong: ({ messages }: Json) => {
      const wrong: string[] = []
      let open: unknown[] = []
      for (const { role, tool_calls, tool_call_id } of [...(messages as Json[]), { role: 'end' } as Json]) {
        if (role === 'tool' && open.includes(tool_call_id)) {
          open = open.filter((id) => id !== tool_call_id)
          continue
        }
        if (role === 'tool' || open.length > 0) wrong.push(`a result for ${tool_call_id}, open: ${open}`)
        open = Array.isArray(tool_calls) ? tool_calls.map(({ id }) => id) : []
        if (new Set(open).size < open.length || open.includes(undefined)) wrong.push('ids that are repeated')
      }
      return wrong
    },
  },
  responses: {
    answer: (ids: readonly (string | undefined)[], calls: readonly Said[], text: string) => ({
      status: 'completed',
      output: [
        ...(text === ''
          ? []
          : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
        ...calls.map(({ name, arguments: given }, place) => ({
          type: 'function_call',
          id: ids[place],
          call_id: ids[place],
          name,
          arguments: given,
        })),
      ],
    }),
    wrong: ({ input }: Json) => {
      const idsOf = (type: string): unknown[] =>
        (input as Json[]).filter((item) => item.type === type).map(({ call_id }) => call_id)
      const [called, answered] = [idsOf('function_call'), idsOf('function_call_output')]
      const isWhole = new Set(called).size === called.length && !called.includes(undefined)
      return isWhole && called.toSorted().join() === answered.toSorted().join()
        ? []
        : [`calls ${called}, results ${answered}`]
    },
  },
  messages: {
    answer: (ids: readonly (string | undefined)[], calls: readonly Said[], text: string) => ({
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...calls.map(({ name, arguments: given }, place) => ({
          type: 'tool_use',
          id: ids[place],
          name,
          input: given === '{"n":' ? given : JSON.parse(given),
        })),
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    wrong: ({ messages }: Json) => {
      const wrong: string[] = []
      let open: unknown[] = []
      for (const { role, content } of messages as Json[]) {
        const blocks = (Array.isArray(content) ? content : [{ type: 'text', text: content }]) as Json[]
        const results = blocks
          .filter(({ type }) => type === 'tool_result')
          .map(({ tool_use_id }) => tool_use_id)
        if (results.toSorted().join() !== open.toSorted().join())
          wrong.push(`results ${results}, open: ${open}`)
        if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
          wrong.push('a late result')
        if (blocks.some(({ type, text }) => type === 'text' && String(text).trim() === ''))
          wrong.push('no text')
        open = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
        if (new Set(open).size < open.length || open.includes(undefined)) wrong.push('ids that are repeated')
        if (open.length > 0 && role !== 'assistant') wrong.push('a call of the user')
        if (blocks.length === 0) wrong.push('an empty turn')
      }
      return open.length > 0 ? [...wrong, `no results for ${open}`] : wrong
    },
  },
}

const toolOf = (name: string, effects: 'read' | 'write') => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, n: { type: 'number' }, _output: {} },
  required: ['_tool', 'n'],
})

fuzz(
  'REQ-6a each tool call of a provider gets its one result, whatever its id, wherever its Call waits, over many processes',
  150,
  fc.record({
    api: fc.constantFrom('chat' as const, 'responses' as const, 'messages' as const),
    turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
    confirm: fc.constantFrom<AgentOptions['confirm']>(
      undefined,
      () => true,
      () => false,
      { effects: ['write'], ask: () => 'pending' },
      { askPlan: () => 'pending' },
    ),
    approvals: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  }),
  async ({ api, turns, confirm, approvals }) => {
    const { Tool, Activity } = createRegistry({
      tools: { read: toolOf('read', 'read'), write: toolOf('write', 'write') },
    })
    const ran: string[] = []
    for (const name of ['read', 'write']) {
      Activity.register(name, (_call, _tool, _context, { id }) => {
        ran.push(id)
        return name
      })
    }
    const bodies: Json[] = []
    const create = async (body: object): Promise<unknown> => {
      const now = turns[bodies.push(body as Json) - 1]
      const ids = now?.calls.map(({ id }, place) =>
        id === 'none' ? undefined : `${bodies.length}_${id === 'same' ? 'same' : place}`,
      )
      return apis[api].answer(ids ?? [], now?.calls ?? [], now ? now.text : '"The end."')
    }
    const client = { chat: { completions: { create } }, responses: { create }, messages: { create } }
    const options: AgentOptions = {
      ...{ model: 'm', client, api, tools: Tool, output: { type: 'string' }, mode: 'native', confirm },
      retry: { attempts: 2, backoff: 0 },
    }
    let decided = 0
    const decide = (resume: SuspendedRun) =>
      resume.approvals.map(({ id, hash }) => {
        return { approval: id, hash, approve: approvals[decided++ % approvals.length] as boolean }
      })
    let given = options
    for (let hops = 0; hops < 12; hops++) {
      const thrown: unknown = await Agent(given)
        .then(() => undefined)
        .catch((error: unknown) => error)
      if (!(thrown instanceof LoopError) || !thrown.result.suspended) break
      const resume: SuspendedRun = JSON.parse(JSON.stringify(thrown.result.suspended))
      given = { ...options, resume, decisions: decide(resume) }
    }
    expect(new Set(ran).size).toBe(ran.length)
    expect(bodies.length).toBeGreaterThan(turns.length)
    for (const body of bodies) expect(apis[api].wrong(body)).toEqual([])
  },
)
