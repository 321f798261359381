import { isCallsheetError } from 'callsheet'
import { Agent, type AgentOptions, LoopError, RequestError } from 'callsheet/agent'
import {
  type Fault,
  faultKinds,
  faultPlaces,
  type ModelRequest,
  type ScriptedAnswer,
  scriptedModel,
} from 'callsheet/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { add, pay, registryWithTools } from './tools.ts'

/** What a server that stalls is given, in milliseconds; enough for one that answers on a busy machine. */
const patience = 400

/** Answers by what the context holds, however often it is asked. */
const turn = ({ body }: ModelRequest): ScriptedAnswer =>
  JSON.stringify(body).includes('kind=') ? { output: 'done' } : { calls: [add(1, 2), pay(3)] }

/** Runs an agent against a server with one fault; what ran, and what it came to. */
async function runWithFault(fault: Fault, options: Partial<AgentOptions>) {
  const { Tool, ran, Activity } = registryWithTools()
  const model = scriptedModel(Array(9).fill(turn))
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  Activity.register('add', ({ left, right }) => {
    ran.push(['add', left, right])
    begin()
    return left + right
  })
  let sent = 0
  const isEarly = options.stream === true && options.early !== 'none'
  const server = await model.listen({
    faults: [fault],
    // What comes after the first Call is only sent once that Call has begun: by order of events, not by time.
    beforePiece: async (textSoFar, request) => {
      if (request === 0 && isEarly && sent >= endOfFirstCall) await begun
      sent = textSoFar
    },
  })
  try {
    const result = await Agent<string>({
      model: 'm',
      baseURL: server.baseURL,
      apiKey: 'x',
      tools: Tool,
      output: { type: 'string' },
      ...(fault.kind === 'stall' && { attemptTimeout: patience }),
      retry: { backoff: 0 },
      ...options,
    }).catch((error: unknown) => error)
    return { result, ran, requests: model.requests.length }
  } finally {
    await server.close()
  }
}

/** Of the answer as the lowered schema has it, where the first Call is complete. */
const endOfFirstCall =
  JSON.stringify({
    calls: [
      {
        _tool: 'add',
        _reasoningForCall: 'The script says so.',
        _activity: 'add',
        _outputPath: null,
        left: 1,
        right: 2,
        _output: null,
      },
    ],
  }).length - 2

const handlesBefore = openSockets()

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCPSOCKET|TCPServer|TLS/i.test(name)).length
}

describe.each(['chat', 'responses'] as const)('REQ-6 REQ-7 over %s', (api) => {
  const places = faultPlaces.flatMap((at) => faultKinds.map((kind) => ({ at, kind, retryAfter: 0 })))

  describe.each([
    ['without early starts', { stream: true, early: 'none' }],
    ['without streaming', { stream: false }],
  ] as const)('%s', (_how, options) => {
    test.concurrent.each(places)('$kind at $at: asked again, every Call runs once', async (fault) => {
      const { result, ran } = await runWithFault(fault, { api, ...options })
      expect(result).toMatchObject({ output: 'done' })
      expect(ran).toEqual([
        ['add', 1, 2],
        ['pay', 3],
      ])
    })
  })

  describe('with early starts', () => {
    const begun = places.filter(({ at }) => at === 'between-calls' || at === 'last-byte')

    test.concurrent.each(places.filter((fault) => !begun.includes(fault)))(
      '$kind at $at: no half Call runs, and it is asked again',
      async (fault) => {
        const { result, ran } = await runWithFault(fault, { api, stream: true })
        expect(result).toMatchObject({ output: 'done' })
        expect(ran).toEqual([
          ['add', 1, 2],
          ['pay', 3],
        ])
      },
    )

    test.concurrent.each(begun)('$kind at $at: interrupted, since a Call has begun', async (fault) => {
      const { result, ran, requests } = await runWithFault(fault, { api, stream: true })
      expect(ran).toEqual([['add', 1, 2]])
      expect(requests).toBe(1)
      if (!(result instanceof LoopError)) throw new Error('expected a LoopError', { cause: result })
      expect(isCallsheetError(result) && result.code).toBe('interrupted')
      expect(result.message).toMatch(/broke off.*"add" succeeded.*not asked for again/)
      expect(result.cause).toBeInstanceOf(RequestError)
      expect(result.result.outcomes).toMatchObject([{ tool: 'add', status: 'succeeded', output: 3 }])
      expect(result.result.context).toMatchObject([{ kind: 'result', data: 3 }])
    })
  })
})

afterAll(async () => {
  // Closing a socket takes the event loop a turn or two.
  for (let turn = 0; turn < 50 && openSockets() > handlesBefore; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(openSockets()).toBe(handlesBefore)
})
