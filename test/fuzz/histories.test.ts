import { createRegistry, type Message } from 'callsheet'
import { Agent, type AgentOptions, type AgentResult, LoopError, type SuspendedRun } from 'callsheet/agent'
import { type ModelAnswer, testModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import { tools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'
import { halves, refusals } from './history-judge.ts'

const readable = fc.constantFrom(
  ['add', '{"left":1,"right":2}'],
  ['add', '{"left":1,"right":2,"_outputPath":"†state.sum"}'],
  ['add', '{"left":"†state.sum","right":1}'],
  ['add', '{"left":"†state.never","right":1}'],
  ['pay', '{"amount":3}'],
  ['pay', '{"amount":"†state.sum"}'],
  ['fails', '{"why":"\\u0000\\ud800 <data>"}'],
  ['says', '{"what":""}'],
  ['Tools__find', '{"query":"pay"}'],
  ['Tools__find', '{"query":"says"}'],
  ['says', '{"what":"   "}'],
)
const wrong = fc.constantFrom(
  ['pay', '{"amount":"much"}'],
  ['pay', '{"amount":'],
  ['add', 'null'],
  ['add', ''],
  ['add', '[1]'],
  ['nobody', '{}'],
  ['__proto__', '{"__proto__":1}'],
  ['', '"text"'],
  ['multi_tool_use.parallel', '{"tool_uses":[]}'],
  ['functions.pay:0'.repeat(9), '{"amount":1}'],
)
const toolCall = fc
  .oneof({ weight: 3, arbitrary: readable }, { weight: 2, arbitrary: wrong })
  .map(([name = '', given = '']) => ({ name, arguments: given }))

/** What a model says in one turn; and what is no answer at all, which it is told. */
const said: fc.Arbitrary<ModelAnswer> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        toolCalls: fc.array(toolCall, { minLength: 1, maxLength: 4 }),
        text: fc.constantFrom('Let me see.', ' ', ''),
      },
      { requiredKeys: ['toolCalls'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { text: 'I think so.' },
      { text: '' },
      { text: '{"output":5}' },
      { text: `Well, ${'🙂'.repeat(300)}` },
    ),
  },
)

const first: fc.Arbitrary<Message[]> = fc.array(
  fc.constantFrom<Message>(
    { type: 'text', text: 'Hello.' },
    { type: 'text', text: '' },
    { type: 'text', text: 'Cut in the middle: \ud83d' },
    { type: 'text', role: 'assistant', text: 'I am here.' },
    { type: 'text', role: 'system', text: 'Be short.' },
    { type: 'data', kind: 'state', data: { sum: 2 } },
    { type: 'plan', plan: [{ _tool: 'add', left: 4, right: 5 }] },
  ),
  { maxLength: 3 },
)

const api = fc.constantFrom('chat' as const, 'responses' as const, 'messages' as const)

fuzz(
  'REQ-6a, REQ-8b, REQ-9 whatever a model calls, and in whatever processes the run goes on: no provider refuses its history, and what ran is in it once',
  250,
  fc.record({
    turns: fc.array(said, { minLength: 1, maxLength: 8 }),
    context: first,
    /** Those of each process that goes on with the run. */
    apis: fc.array(api, { minLength: 1, maxLength: 3 }),
    modes: fc.array(fc.constantFrom('native' as const, 'native' as const, 'composed' as const), {
      minLength: 1,
      maxLength: 3,
    }),
    stream: fc.boolean(),
    /** What becomes of the second call of an answer, as some servers give it: of its id, or of its arguments and type. */
    ids: fc.constantFrom('own', 'own', 'own', 'missing', 'the first again', 'bare'),
    early: fc.constantFrom('none' as const, 'safe' as const, 'all' as const),
    asks: fc.constantFrom(undefined, ['write' as const], ['read' as const, 'write' as const]),
    approves: fc.boolean(),
    /** A few Tools are offered, and the provider shows what was found where it can. */
    searches: fc.constantFrom('no', 'own', 'provider'),
    maxCalls: fc.constantFrom(1, 2, 3, 100),
    concurrency: fc.constantFrom(1, undefined),
  }),
  async ({ turns, context, apis, modes, asks, approves, searches, ids: given, ...options }) => {
    const ran: string[] = []
    const registry = createRegistry({
      tools: { ...tools, fails: textTool('fails', 'why'), says: textTool('says', 'what') },
    })
    registry.Activity.register('add', ({ left, right }, _tool, _context, { id }) => {
      ran.push(id)
      return (left as number) + (right as number)
    })
    registry.Activity.register('pay', ({ amount }, _tool, _context, { id }) => {
      ran.push(id)
      return `paid ${amount}`
    })
    registry.Activity.register('says', ({ what }) => String(what))
    registry.Activity.register('fails', ({ why }) => Promise.reject(new Error(String(why))))
    let asked = 0
    const refused: string[] = []
    const model = testModel(({ api, body }) => {
      refused.push(
        ...[...refusals[api](body), ...halves(body)].map((why) => `${api}, request ${asked}, ${why}`),
      )
      return turns[asked++] ?? { text: '{"output":"done"}' }
    })
    const client = given === 'own' ? model : { ...model, chat: { completions: { create: spoilt } } }
    async function spoilt(...asking: Parameters<typeof model.chat.completions.create>): Promise<unknown> {
      const answer: unknown = await model.chat.completions.create(...asking)
      const [first, second] = toolCallsOf(answer)
      if (second && given === 'bare') {
        second.type = undefined
        second.function = { ...second.function, arguments: undefined }
      } else if (second) second.id = given === 'missing' ? undefined : first?.id
      return answer
    }
    const approvals: string[] = []
    const ids: string[] = []
    let resume: SuspendedRun | undefined
    for (let process = 0; ; process++) {
      const api = apis[process % apis.length] ?? 'chat'
      const provider = searches === 'provider' && api !== 'chat'
      const given: AgentOptions = {
        model: 'm',
        client,
        tools: registry.Tool,
        output: { type: 'string' },
        api,
        // What a provider keeps back are tools of its own.
        mode: provider ? 'native' : (modes[process % modes.length] ?? 'native'),
        ...(searches !== 'no' && { search: { pinned: ['add'], limit: 1, provider } }),
        retry: { attempts: 2, backoff: 0 },
        ...options,
        ...(asks && {
          confirm: {
            effects: asks,
            ask: (_call, { id }) => {
              approvals.push(`${process} ${id}`)
              return 'pending'
            },
          },
        }),
        ...(resume ? { resume, decisions: decisionsOf(resume, approves) } : { context }),
      }
      const result: AgentResult = await Agent(given).catch((error: unknown) => {
        if (error instanceof LoopError) return error.result
        throw error
      })
      ids.push(...result.outcomes.filter(({ attempts }) => attempts > 0).map(({ id }) => id))
      if (!result.suspended) break
      resume = JSON.parse(JSON.stringify(result.suspended)) as SuspendedRun
    }
    expect(refused).toEqual([])
    expect(new Set(approvals).size, 'nobody is asked twice').toBe(approvals.length)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ran).size).toBe(ran.length)
    expect(ids).toEqual(expect.arrayContaining(ran))
  },
)

interface ToolCallOfChat {
  id?: string | undefined
  type?: string | undefined
  function?: object
}

/** The tool calls of a whole chat completion. */
function toolCallsOf(answer: unknown): ToolCallOfChat[] {
  const { choices } = answer as { choices?: { message: { tool_calls?: ToolCallOfChat[] } }[] }
  return choices?.[0]?.message.tool_calls ?? []
}

function textTool(name: string, parameter: string) {
  return {
    type: 'object',
    effects: 'read',
    properties: { _tool: { const: name }, [parameter]: { type: 'string' }, _output: { type: 'string' } },
    required: ['_tool', parameter],
    additionalProperties: false,
  }
}

function decisionsOf({ approvals }: SuspendedRun, approve: boolean) {
  return approvals.map(({ id, hash }) => ({ approval: id, hash, approve }))
}
