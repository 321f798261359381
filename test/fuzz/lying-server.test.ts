import Anthropic from '@anthropic-ai/sdk'
import { isCallsheetError, type Outcome } from 'callsheet'
import { Agent, type AgentResult } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import OpenAI from 'openai'
import { beforeAll, expect, test } from 'vitest'
import { add, pay, registryWithTools } from '../unit/runtime/agent/tools.ts'
import { fuzz } from './campaign.ts'
import { withChangedLeaf } from './changed-leaf.ts'
import { hostileJson } from './hostile-json.ts'

const apis = ['chat', 'responses', 'messages'] as const
const modes = ['composed', 'native'] as const
type Api = (typeof apis)[number]

const calls = [
  add(1, 2),
  pay(3),
  { _tool: 'judge', text: 'é†☃😀', _output: { good: true } },
  add(4, '†state.x'),
]

/** A server's two answers by what was asked for, as it sends them: Calls, and then the end. */
const recorded = new Map<string, { text: string; type: string }[]>()

function clientOf(api: Api, answer: typeof fetch, baseURL = 'http://127.0.0.1:9/v1') {
  const options = { apiKey: 'none', baseURL, maxRetries: 0, logLevel: 'off' as const, fetch: answer }
  return api === 'messages' ? new Anthropic(options) : new OpenAI(options)
}

beforeAll(async () => {
  for (const api of apis) {
    for (const mode of modes) {
      for (const stream of [true, false]) {
        const server = await scriptedModel([{ calls }, { output: 'done' }]).listen()
        const answers: { text: string; type: string }[] = []
        recorded.set(`${api} ${mode} ${stream}`, answers)
        const client = clientOf(
          api,
          async (url, init) => {
            const response = await fetch(url, init)
            const text = await response.text()
            answers.push({ text, type: response.headers.get('content-type') ?? '' })
            return new Response(text, { headers: response.headers })
          },
          server.baseURL,
        )
        const tools = registryWithTools().Tool
        await Agent({ model: 'm', client, api, mode, stream, tools, output: { type: 'string' } })
        expect(answers).toHaveLength(2)
        await server.close()
      }
    }
  }
})

const junk = fc.constantFrom(
  ': comment',
  'data: [DONE]',
  'data: {',
  'data: null',
  'data: 5',
  'data: []',
  'data: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}',
  'data: {"error":{"message":"no"}}',
  'data: {"choices":[]}',
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":99,"function":{"arguments":"{"}}]}}]}',
  'data: {"type":"content_block_delta","index":7,"delta":{"type":"input_json_delta","partial_json":"}"}}',
  'data: {"type":"response.function_call_arguments.delta","item_id":"x","output_index":9,"delta":"}"}',
  'event: ping\ndata: {"type":"ping"}',
  'event: nope\nid: 5\nretry: 0\ndata: {}',
  `data: "${'x'.repeat(20_000)}"`,
)

/** What happens to an answer on its way: each change names the event (or the part of a body) by a number. */
const change = fc.oneof(
  fc.record({
    kind: fc.constantFrom('drop', 'twice', 'swap', 'cut', 'remove' as const),
    at: fc.nat(400),
    leaf: fc.nat(40),
  }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(400), text: junk }),
  fc.record({
    kind: fc.constant('replace' as const),
    at: fc.nat(400),
    leaf: fc.nat(40),
    value: fc.oneof(
      hostileJson,
      fc.constantFrom<unknown>(
        0,
        1,
        2,
        -1,
        1e9,
        'add',
        'pay',
        'nope',
        '',
        '{',
        '}',
        'call_0',
        'toolu_0',
        'stop',
      ),
    ),
  }),
)
type Change = typeof change extends fc.Arbitrary<infer Kind> ? Kind : never

function changed(text: string, isStream: boolean, changes: readonly Change[]): string {
  const parts = isStream ? text.split('\n\n') : [text]
  for (const each of changes) {
    const at = each.at % Math.max(1, parts.length)
    const part = parts[at] ?? ''
    switch (each.kind) {
      case 'drop':
        parts.splice(at, 1)
        break
      case 'twice':
        parts.splice(at, 0, part)
        break
      case 'swap':
        parts.splice(at, 2, parts[at + 1] ?? '', part)
        break
      case 'cut':
        parts.splice(at, parts.length, part.slice(0, each.leaf * 7))
        break
      case 'insert':
        parts.splice(at, 0, each.text)
        break
      default: {
        const [head = '', body] = isStream ? part.split(/(?<=data: )/) : ['', part]
        parts[at] =
          head + withChangedLeaf(body ?? '', each.leaf, 'value' in each ? { value: each.value } : undefined)
      }
    }
  }
  return parts.join('\n\n')
}

interface Sent {
  readonly text: string
  readonly type: string
}

let finished = 0
let failed = 0

fuzz(
  'REQ-6, REQ-7, REQ-8b whatever a server says: the run ends with a code or a result, and each Call that ran is in it once',
  150,
  fc.record({
    api: fc.constantFrom(...apis),
    mode: fc.constantFrom(...modes),
    stream: fc.boolean(),
    early: fc.boolean(),
    changes: fc.array(change, { maxLength: 4 }),
    status: fc.constantFrom(200, 200, 200, 200, 206, 429, 500, 302, 404),
    type: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      undefined,
      'text/html',
      '',
      'application/json',
      'text/event-stream',
    ),
    attempts: fc.constantFrom(1, 2),
  }),
  async ({ api, mode, stream, early, changes, status, type, attempts }) => {
    const { Tool, ran } = registryWithTools()
    const ended: Outcome[] = []
    Tool.on('call:end', (outcome) => void ended.push(outcome))
    const [sent, end] = recorded.get(`${api} ${mode} ${stream}`) as [Sent, Sent]
    const text = changed(sent.text, stream, changes)
    let asked = 0
    const client = clientOf(api, async () =>
      asked++ < attempts
        ? new Response(text, { status, headers: { 'content-type': type ?? sent.type } })
        : new Response(end.text, { headers: { 'content-type': end.type } }),
    )
    const result: unknown = await Agent({
      model: 'm',
      client,
      api,
      mode,
      stream,
      ...(early && stream && { early: 'all' as const }),
      tools: Tool,
      output: { type: 'string' },
      maxTurns: 3,
      retry: { attempts, backoff: 0 },
      attemptTimeout: 5000,
    }).catch((error: unknown) => error)
    const isError = result instanceof Error
    if (isError) {
      failed++
      if (!isCallsheetError(result)) throw result
      expect(result.code).not.toBe('internal')
      expect(result.message).not.toMatch(/Cannot read|is not a function|is not iterable/)
      expect(result.message.length).toBeLessThan(6000)
    } else finished++
    const { outcomes } =
      (isError ? (result as { result?: AgentResult }).result : (result as AgentResult)) ?? {}
    const ids = ended.map(({ id }) => id)
    expect(new Set(ids).size, 'each id once').toBe(ids.length)
    // Calls that could not be read never start, so that nothing hears of their end.
    const told = (outcomes ?? []).map(({ id }) => id).filter((id) => !id.includes('.rejected.'))
    expect(told.sort()).toEqual(ids.sort())
    const explicit = ended.filter(({ attempts: started, mode: kind }) => kind === 'explicit' && started > 0)
    expect(explicit).toHaveLength(ran.length)
    for (const { tool } of ended) expect(typeof tool).toBe('string')
  },
)

/** A stream as a server may write it just as well: other line ends, comments, no space after a colon, and cut anywhere. */
function respelt(text: string, { crlf, comments, noSpace, mark }: Spelling): string {
  const events = text
    .split('\n\n')
    .map((event) => (noSpace ? event.replace(/^(\w+): /gm, '$1:') : event))
    .flatMap((event) => (comments && event !== '' ? [': still here', event] : [event]))
    .join('\n\n')
  return (mark ? '\uFEFF' : '') + (crlf ? events.replaceAll('\n', '\r\n') : events)
}

type Spelling = Record<'crlf' | 'comments' | 'noSpace' | 'mark', boolean>

function inPieces(text: string, sizes: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let [at, turn] = [0, 0]
  return new ReadableStream({
    pull(controller) {
      const size = sizes[turn++ % sizes.length] ?? 1
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
      else controller.close()
      at += size
    },
  })
}

fuzz(
  'REQ-7 however a stream is spelt and cut, what comes of it is the same',
  40,
  fc.record({
    api: fc.constantFrom(...apis),
    mode: fc.constantFrom(...modes),
    type: fc.constantFrom('text/event-stream', 'text/event-stream; charset=utf-8', 'text/plain', ''),
    sizes: fc.array(fc.constantFrom(1, 2, 3, 5, 64, 1000, 100_000), { minLength: 1, maxLength: 4 }),
    spelling: fc.record({
      crlf: fc.boolean(),
      comments: fc.boolean(),
      noSpace: fc.boolean(),
      mark: fc.boolean(),
    }),
  }),
  async ({ api, mode, type, sizes, spelling }) => {
    const { Tool, ran } = registryWithTools()
    const answers = [...(recorded.get(`${api} ${mode} true`) ?? [])]
    const answer = async (): Promise<Response> => {
      const { text = '' } = answers.shift() ?? {}
      return new Response(inPieces(respelt(text, spelling), sizes), { headers: { 'content-type': type } })
    }
    const before = globalThis.fetch
    globalThis.fetch = answer
    try {
      const provider = api === 'messages' ? 'anthropic' : 'openai'
      const connection = { provider, api, apiKey: 'none', baseURL: 'http://127.0.0.1:9/v1' } as const
      const shared = { model: 'm', tools: Tool, output: { type: 'string' }, retry: { attempts: 1 } } as const
      const result = await Agent({ ...connection, ...shared, mode, stream: true, early: 'all' })
      expect(result.output).toBe('done')
      // The last one waits for what nobody writes.
      expect(result.outcomes.map(({ call }) => call)).toMatchObject(calls.slice(0, 3))
      expect(ran.map(String)).toEqual(['add,1,2', 'pay,3'])
    } finally {
      globalThis.fetch = before
    }
  },
)

test('the runs above ended both ways', () => {
  expect([finished > 0, failed > 20]).toEqual([true, true])
})
