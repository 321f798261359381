import { type ErrorCode, isCallsheetError, type Outcome } from 'callsheet'
import { Agent, type AgentOptions, LoopError, RequestError } from 'callsheet/agent'
import {
  type FaultKind,
  type FaultPlace,
  faultKinds,
  faultPlaces,
  type ModelRequest,
  type ScriptedAnswer,
  scriptedModel,
} from 'callsheet/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someOf } from '../runs.ts'
import { type HeldTimer, holdTimers } from '../unit/runtime/agent/hold-timers.ts'
import { add, pay, registryWithTools } from '../unit/runtime/agent/tools.ts'

/** What can go wrong: what the server does or the model says, and what the caller does when nothing more comes. */
type Trouble = FaultKind | 'timeout' | 'abort'

/** What each trouble is called where it ends the Request. Without an end it is asked again. */
const troubles: Readonly<Record<Trouble, { code: ErrorCode | RegExp; says: RegExp; isFinal: boolean }>> = {
  drop: { code: 'connection_failed', says: /connection to the model failed/, isFinal: false },
  stall: { code: 'connection_failed', says: /No complete answer came within/, isFinal: false },
  'rate-limit': { code: 'rate_limited', says: /limit(s|ed) the rate/, isFinal: false },
  'server-error': { code: 'server_error', says: /server failed/, isFinal: false },
  // A stream that says nothing at all is one that broke off.
  garbage: {
    code: /answer_invalid|connection_failed/,
    says: /is not JSON|ended before the model had finished|a page for people/,
    isFinal: false,
  },
  'invalid-json': { code: 'answer_invalid', says: /answer is not JSON/, isFinal: false },
  'schema-violation': { code: 'answer_invalid', says: /is not what was asked for/, isFinal: false },
  refusal: { code: 'model_refused', says: /refused: I cannot help with that/, isFinal: true },
  truncation: { code: 'answer_truncated', says: /cut off at the limit of tokens/, isFinal: true },
  timeout: { code: 'timeout', says: /did not finish within/, isFinal: true },
  abort: { code: 'aborted', says: /Aborted by the caller/, isFinal: true },
}

const cases = faultPlaces.flatMap((at) =>
  ([...faultKinds, 'timeout', 'abort'] as const).map((trouble) => ({ trouble, at })),
)

/** Where the first Call of the answer is complete, so that it has begun where early starts are allowed. */
const afterFirstCall: readonly FaultPlace[] = ['between-calls', 'last-byte']

const wholeRun = [
  ['add', 1, 2],
  ['pay', 3],
]

const timers = holdTimers()
let handlesBefore = 0
beforeAll(() => {
  handlesBefore = openSockets()
})

/** Answers by what the context holds or what came of its calls, however often it is asked. */
const turn = ({ body }: ModelRequest): ScriptedAnswer =>
  /kind=|"tool_call_id"|"function_call_output"|"tool_result"/.test(JSON.stringify(body))
    ? { output: 'done' }
    : { calls: [add(1, 2), pay(3)] }

/** Runs an agent into one trouble, in its first Request; what ran, and what it came to. */
async function runInto({ trouble, at }: (typeof cases)[number], options: Partial<AgentOptions>) {
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
  const late = timers.hold()
  const aborter = new AbortController()
  const isEarly = options.stream === true && options.early !== 'none' && afterFirstCall.includes(at)
  let sent = 0
  let requests = 0
  const kind = trouble === 'abort' || trouble === 'timeout' ? 'stall' : trouble
  const server = await model.listen({
    faults: [{ at, kind, retryAfter: 0 }],
    // What comes after the first Call is only sent once that Call has begun: by order of events, not by time.
    beforePiece: async (textSoFar, request) => {
      const end = options.mode === 'native' ? endOfFirstArguments(options.provider) : endOfFirstCall
      if (request === 0 && isEarly && sent >= end && textSoFar > end) await begun
      sent = textSoFar
    },
    onFault: () => endWaiting(trouble, late, aborter),
    onRequest: () => requests++,
  })
  try {
    const result = await Agent<string>({
      model: 'm',
      baseURL: server.baseURL,
      apiKey: 'x',
      tools: Tool,
      output: { type: 'string' },
      signal: aborter.signal,
      ...(trouble === 'stall' && { attemptTimeout: late.wait }),
      ...(trouble === 'timeout' && { timeout: late.wait }),
      retry: { backoff: 0 },
      ...options,
    }).catch((error: unknown) => error)
    return { result, ran, requests }
  } finally {
    await server.close()
  }
}

/** Nothing more comes: the attempt or the Request is out of time, or its caller loses patience. */
function endWaiting(trouble: Trouble, late: HeldTimer, aborter: AbortController): void {
  if (trouble === 'abort') aborter.abort()
  else late.fire()
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
      },
    ],
  }).length - 2

/** Of the provider's own call, where its arguments are complete; Claude's may leave parameters out. */
const endOfFirstArguments = (provider: AgentOptions['provider']): number =>
  JSON.stringify({
    _reasoningForCall: 'The script says so.',
    ...(provider !== 'anthropic' && { _outputPath: null }),
    left: 1,
    right: 2,
  }).length

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCPSOCKET|TCPServer|TLS/i.test(name)).length
}

/** Fails unless the error says what happened, and nothing of the answer was used. */
function expectTold(result: unknown, { trouble }: (typeof cases)[number]): void {
  const { code, says } = troubles[trouble]
  if (!(result instanceof LoopError)) throw new Error('expected a LoopError', { cause: result })
  expect(result.code).toMatch(code)
  expect(result.message).toMatch(says)
  expect(result.cause).toBeInstanceOf(RequestError)
  expect(result.result).toMatchObject({ outcomes: [], context: [] })
}

/** What is wrong with one of the provider's own calls costs that Call alone. */
function isOfOneCall({ trouble }: (typeof cases)[number], { mode }: Partial<AgentOptions>): boolean {
  return mode === 'native' && (trouble === 'invalid-json' || trouble === 'schema-violation')
}

const forms: readonly [name: string, options: Partial<AgentOptions>][] = [
  ['chat', { api: 'chat' }],
  ['responses', { api: 'responses' }],
  ['chat, by its own tools', { api: 'chat', mode: 'native' }],
  ['responses, by its own tools', { api: 'responses', mode: 'native' }],
  ['messages, by its own tools', { provider: 'anthropic', mode: 'native' }],
]

describe.each(forms)('REQ-6 REQ-7 over %s', (_name, form) => {
  const ofOne = cases.filter((each) => isOfOneCall(each, form))
  const ofAll = cases.filter((each) => !isOfOneCall(each, form))

  describe.each([
    ['with a stream', { ...form, stream: true, early: 'none' }],
    ['without one', { ...form, stream: false }],
  ] as const)('%s', (_how, options) => {
    test.concurrent.each(someOf(ofAll.filter(({ trouble }) => !troubles[trouble].isFinal)))(
      '$trouble at $at: asked again, every Call runs once; told, if that is not allowed',
      async (given) => {
        const { result, ran, requests } = await runInto(given, options)
        expect(result).toMatchObject({ output: 'done' })
        expect(ran).toEqual(wholeRun)
        expect(requests).toBe(3)

        const once = await runInto(given, { ...options, retry: { attempts: 1 } })
        expectTold(once.result, given)
        expect([once.ran, once.requests]).toEqual([[], 1])
      },
    )

    test.concurrent.each(someOf(ofAll.filter(({ trouble }) => troubles[trouble].isFinal)))(
      '$trouble at $at: told, and not asked again',
      async (given) => {
        const { result, ran, requests } = await runInto(given, options)
        expectTold(result, given)
        expect([ran, requests]).toEqual([[], 1])
      },
    )
  })

  describe('with early starts', () => {
    const early = { ...form, stream: true } as const
    const isBegun = ({ at }: (typeof cases)[number]): boolean => afterFirstCall.includes(at)

    test.concurrent.each(someOf(ofAll.filter((each) => !isBegun(each))))(
      '$trouble at $at: no half Call runs',
      async (given) => {
        const { result, ran, requests } = await runInto(given, early)
        if (troubles[given.trouble].isFinal) {
          expectTold(result, given)
          expect([ran, requests]).toEqual([[], 1])
        } else {
          expect(result).toMatchObject({ output: 'done' })
          expect([ran, requests]).toEqual([wholeRun, 3])
        }
      },
    )

    test.concurrent.each(someOf(ofAll.filter(isBegun)))(
      '$trouble at $at: interrupted, since a Call has begun',
      async (given) => {
        const { result, ran, requests } = await runInto(given, early)
        expect([ran, requests]).toEqual([[['add', 1, 2]], 1])
        if (!(result instanceof LoopError)) throw new Error('expected a LoopError', { cause: result })
        expect(isCallsheetError(result) && result.code).toBe('interrupted')
        expect(result.message).toMatch(/broke off.*"add" succeeded.*not asked for again/)
        expect(result.message).toMatch(troubles[given.trouble].says)
        expect(result.cause).toBeInstanceOf(RequestError)
        expect(result.result.outcomes).toMatchObject([{ tool: 'add', status: 'succeeded', output: 3 }])
        expect(result.result.context).toMatchObject([{ kind: 'result', data: 3 }])
      },
    )
  })

  if (ofOne.length > 0) {
    test.concurrent.each(
      ofOne.flatMap((each) =>
        [{ stream: true }, { stream: true, early: 'none' as const }, { stream: false }].map(
          (how) => [`${each.trouble} at ${each.at}, ${JSON.stringify(how)}`, each, how] as const,
        ),
      ),
    )('REQ-6a %s: costs that Call alone, and the model is told', async (_name, given, how) => {
      const { result, ran, requests } = await runInto(given, { ...form, ...how })
      const isFirst = !afterFirstCall.includes(given.at)
      expect(result).toMatchObject({ output: 'done' })
      expect([ran, requests]).toEqual([isFirst ? [] : [['add', 1, 2]], 2])
      const { outcomes } = result as { readonly outcomes: readonly Outcome[] }
      expect(outcomes.map(({ tool, status }) => [tool, status])).toEqual(
        isFirst
          ? [['add', 'failed']]
          : [
              ['pay', 'failed'],
              ['add', 'succeeded'],
            ],
      )
    })
  }
})

afterAll(async () => {
  timers.release()
  // Closing a socket takes the event loop a turn or two.
  for (let turn = 0; turn < 50 && openSockets() > handlesBefore; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  expect(openSockets()).toBe(handlesBefore)
})
