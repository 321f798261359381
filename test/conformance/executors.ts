// What every executor has to do (DUR-5), as data: the same cases run in this process, as a shuffled replay of it, and in a
// handler of each engine, where nothing of a test runner is. `run` is what happens there and gives JSON; `check` looks at
// it here, beside what the Activities have written down.
import { type Call, isCallsheetError, type Message } from 'callsheet'
import {
  Agent,
  type AgentResult,
  type DispatchPolicy,
  type ExecutorFactory,
  LoopError,
  type OpenAIClient,
  type Perform,
  type PerformedOutcome,
} from 'callsheet/agent'
import { type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import { executorRegistry } from './executor-tools.ts'

/** Where a case runs. */
export interface ExecutorHost {
  readonly runId: string
  /** Where the Activities write down what they do. */
  readonly file: string
  readonly executor: ExecutorFactory
  /** How a Call that fails is repeated, for executors whose Calls repeat themselves. */
  readonly run?: { readonly retry: { readonly attempts: number } }
  /** Aborts when the run is cancelled. */
  readonly signal: AbortSignal
}

export interface ExecutorCase {
  readonly run: (host: ExecutorHost) => Promise<unknown>
  /** What it has to come to, and how often each Tool has been started. */
  readonly want: unknown
  readonly starts: Readonly<Record<string, number>>
  /** Somebody cancels the run once so many Activities have begun. */
  readonly cancelAfter?: number
}

const wait = (name: string, milliseconds: number): Call => ({ _tool: 'wait', name, milliseconds })

export const executorCases: Readonly<Record<string, ExecutorCase>> = {
  'order: each is told once, under the key that it was dispatched under': {
    run: async (host) => {
      const told = await runAll(host, [wait('slow', 250), wait('quick', 1), wait('middle', 90)])
      return told.map(({ id, outcome }) => [id.slice(host.runId.length), outcome.output]).sort()
    },
    want: [
      [':1.0', 'slow'],
      [':1.1', 'quick'],
      [':1.2', 'middle'],
    ],
    starts: { wait: 3 },
  },
  'dedupe: of many at once every one runs once, and has one Outcome': {
    run: async (host) => {
      const calls = Array.from({ length: 40 }, (_, index) => ({ _tool: 'add', left: index, right: 1 }))
      const told = await runAll(host, calls)
      return [new Set(told.map(({ id }) => id)).size, sum(told.map(({ outcome }) => Number(outcome.output)))]
    },
    want: [40, 820],
    starts: { add: 40 },
  },
  'retries: a Tool that reads is repeated until it succeeds': {
    run: async (host) => shown(await runAll(host, [{ _tool: 'flaky', name: 'a', failures: 2 }])),
    want: [{ status: 'succeeded', output: 'a' }],
    starts: { flaky: 3 },
  },
  'retries: so often as was said, and no more': {
    run: async (host) => {
      const [told] = await runAll(host, [{ _tool: 'flaky', name: 'a', failures: 99 }])
      return [told?.outcome.status, told?.outcome.error?.code, told?.outcome.attempts]
    },
    want: ['failed', 'activity_failed', 3],
    starts: { flaky: 3 },
  },
  'retries: what writes is not repeated': {
    run: async (host) => {
      const [told] = await runAll(host, [{ _tool: 'flakyWrite', name: 'a', failures: 1 }])
      return [told?.outcome.status, told?.outcome.error?.code, told?.outcome.attempts]
    },
    want: ['failed', 'activity_failed', 1],
    starts: { flakyWrite: 1 },
  },
  'terminal errors: what cannot run is not repeated, and what it gave wrongly neither': {
    run: async (host) => {
      const told = await runAll(host, [
        { _tool: 'wait', name: 5 },
        { _tool: 'nothing' },
        { _tool: 'wrong', name: 'a' },
        { _tool: 'wait', name: '†state.absent', milliseconds: 1 },
      ])
      return told.map(({ id, outcome }) => [id.at(-1), outcome.status, outcome.error?.code]).sort()
    },
    want: [
      ['0', 'failed', 'invalid_call'],
      ['1', 'failed', 'unknown_tool'],
      ['2', 'failed', 'invalid_output'],
      ['3', 'failed', 'unresolved_reference'],
    ],
    starts: { wrong: 1 },
  },
  'outcomes are data: errors keep their code, message and problems, and show no stack': {
    run: async (host) => {
      const [told] = await runAll(host, [{ _tool: 'wait', name: 'a', milliseconds: 'long' }])
      const error = told?.outcome.error
      return [
        isCallsheetError(error),
        error?.name,
        error?.message,
        error?.problems?.map(({ path }) => path),
        'stack' in JSON.parse(JSON.stringify(error)),
      ]
    },
    want: [
      true,
      'CallError',
      'Tool "wait" cannot take this Call: /milliseconds: expected a number, got "long".',
      ['/milliseconds'],
      false,
    ],
    starts: {},
  },
  'outcomes are data: a Call is told as it was written, with what it adds': {
    run: async (host) => {
      const context = [{ type: 'state' as const, state: { left: 20 } }]
      const call = { _tool: 'add', left: '†state.left', right: 2, _outputPath: '†state.sum' }
      const [told] = await runAll(host, [call], context)
      return [told?.outcome.call, withoutDates(told?.outcome.appended)]
    },
    want: [
      { _tool: 'add', left: '†state.left', right: 2, _outputPath: '†state.sum' },
      [
        {
          type: 'data',
          kind: 'state',
          data: { sum: 22 },
          _path: '†state.sum',
          _call: { _tool: 'add', left: '†state.left', right: 2, _outputPath: '†state.sum' },
        },
      ],
    ],
    starts: { add: 1 },
  },
  'cancellation: what has begun ends as aborted, and nothing else begins': {
    run: async (host) => {
      const { executor, dispatch } = start(host)
      const pending = new Map(
        [0, 1].map((place) => [
          `${host.runId}:1.${place}`,
          dispatch({ _tool: 'hang', name: 'a' }, `1.${place}`),
        ]),
      )
      const seen: unknown[] = []
      for (let turn = 2; pending.size > 0; turn++) {
        const { id, outcome } = await executor.next([...pending.values()])
        pending.delete(id)
        seen.push([outcome.status, outcome.error?.code])
        if (turn === 2) pending.set(`${host.runId}:2.0`, dispatch(wait('late', 1), '2.0'))
      }
      return seen
    },
    want: [
      ['aborted', 'aborted'],
      ['aborted', 'aborted'],
      ['aborted', 'aborted'],
    ],
    starts: { hang: 2 },
    cancelAfter: 2,
  },
  'time does not run backwards': {
    run: async (host) => {
      const { executor, dispatch } = start(host)
      const before = executor.now()
      await executor.next([dispatch(wait('a', 30), '1.0')])
      const after = executor.now()
      return [Number.isInteger(before), after >= before]
    },
    want: [true, true],
    starts: { wait: 1 },
  },
  'a run of an agent: References, failures and latent Calls': {
    run: async (host) => {
      const { result, code } = await runAgent(host, [
        {
          calls: [
            { _tool: 'add', left: '†state.a', right: 1, _outputPath: '†state.b' },
            { _tool: 'add', left: 1, right: 2, _outputPath: '†state.a' },
            { _tool: 'flakyWrite', name: 'x', failures: 1 },
            { _tool: 'judge', name: 'x', _output: 'good' },
          ],
        },
        { calls: [{ _tool: 'pay', to: 'rent', amount: '†state.b' }], output: 'done' },
      ])
      const ended = result.outcomes.map(({ tool, status, output, error }) => [
        tool,
        status,
        output ?? error?.code,
      ])
      return {
        code,
        output: result.output,
        spent: result.spent,
        ended,
        context: result.context.map(briefly),
      }
    },
    want: {
      output: 'done',
      spent: { turns: 2, calls: 5, tokens: 0 },
      ended: [
        ['add', 'succeeded', 4],
        ['add', 'succeeded', 3],
        ['flakyWrite', 'failed', 'activity_failed'],
        ['judge', 'succeeded', 'good'],
        ['pay', 'succeeded', 'paid 4 to rent'],
      ],
      context: [
        ['add', 'state', { b: 4 }],
        ['add', 'state', { a: 3 }],
        [
          'flakyWrite',
          'activity_failed',
          'Activity "flakyWrite" failed on "flakyWrite": failed 1 of 1 times',
        ],
        ['judge', 'result', 'good'],
        ['pay', 'result', 'paid 4 to rent'],
      ],
    },
    starts: { add: 2, flakyWrite: 1, pay: 1 },
  },
}

interface Told {
  readonly id: string
  readonly outcome: PerformedOutcome
}

/** Dispatches Calls all at once, and waits for each. */
async function runAll(
  host: ExecutorHost,
  calls: readonly Call[],
  context: DispatchPolicy['context'] = [],
): Promise<Told[]> {
  const { executor, dispatch } = start(host, context)
  const pending = new Map<string, unknown>(
    calls.map((call, place) => [`${host.runId}:1.${place}`, dispatch(call, `1.${place}`)]),
  )
  const told: Told[] = []
  while (pending.size > 0) {
    const settled = await executor.next([...pending.values()])
    if (!pending.delete(settled.id))
      throw new Error(`"${settled.id}" was told twice, or was never dispatched.`)
    told.push(settled)
  }
  return told
}

function start(host: ExecutorHost, context: DispatchPolicy['context'] = []) {
  const { Tool } = executorRegistry(host.file)
  const perform: Perform = (call, key, policy) =>
    Tool.run(call, { ...host.run, id: key, context: policy.context, signal: host.signal })
  const executor = host.executor(perform)
  const dispatch = (call: Call, id: string): unknown =>
    executor.dispatch(call, `${host.runId}:${id}`, {
      kind: 'call',
      context,
      effects: Tool.get(call._tool)?.effects,
    })
  return { executor, dispatch }
}

async function runAgent(
  host: ExecutorHost,
  turns: readonly ScriptedTurn[],
): Promise<{ result: AgentResult; code?: string }> {
  try {
    const result = await Agent({
      model: 'm',
      client: modelOf(turns, 'failed 1 of 1 times'),
      tools: executorRegistry(host.file).Tool,
      output: { type: 'string' },
      runId: host.runId,
      executor: host.executor,
      signal: host.signal,
      ...(host.run && { run: host.run }),
    })
    return { result }
  } catch (thrown) {
    if (thrown instanceof LoopError) return { result: thrown.result, code: thrown.code }
    throw thrown
  }
}

/** A model that goes on in another process where it was: it says its last turn once it reads the sign. */
export function modelOf(
  turns: readonly ScriptedTurn[],
  sign: string,
  onAsked: () => void = () => {},
): OpenAIClient {
  return {
    chat: {
      completions: {
        create: (body: never) => {
          onAsked()
          const isAnswered = JSON.stringify((body as { messages: unknown }).messages).includes(sign)
          const turn = turns[isAnswered ? turns.length - 1 : 0] as ScriptedTurn
          return scriptedModel([turn]).chat.completions.create(body)
        },
      },
    },
  }
}

function shown(told: readonly Told[]): unknown[] {
  return told.map(({ outcome: { status, output } }) => ({ status, output }))
}

/** Messages without the time at which they were written. */
export function withoutDates(messages: readonly object[] = []): object[] {
  return messages.map((message) => {
    const { _date, ...rest } = message as { _date?: string }
    return rest
  })
}

/** What a Message tells, and of which Tool's Call. */
function briefly(message: Message): unknown {
  if (message.type === 'data') return [message._call?._tool, message.kind, message.data]
  if (message.type !== 'error') return message
  const { call, error } = message.data
  return [(call as Call)._tool, error.code, error.message]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
