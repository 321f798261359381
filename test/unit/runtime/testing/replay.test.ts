import { Agent, type AgentOptions, inProcessExecutor, LoopError } from 'callsheet/agent'
import { randomModel, recordRun, type ScriptedTurn, scriptedModel, shuffledReplay } from 'callsheet/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, pay, registryWithTools } from '../agent/tools.ts'

const path = (name: string) => ({ _outputPath: `†state.${name}` })
const script: ScriptedTurn[] = [
  {
    calls: [
      add('†state.b', '†state.a', path('c')),
      add(1, 2, path('a')),
      add(3, 4, path('b')),
      add('†state.missing', 1),
      pay(5),
      { _tool: 'add', left: 'no number' },
      add(9, 9),
    ],
  },
  { calls: [add('†state.c', 1, path('missing')), add('†state.a', '†state.c')] },
  { calls: [pay(1)], output: 'done' },
]

/** Runs once for real, with Calls that end in an order of their own. */
async function recorded(options: Partial<AgentOptions>) {
  const { Tool, Activity } = registryWithTools()
  Activity.register('add', async ({ left, right }) => {
    await new Promise((resolve) => setTimeout(resolve, (left * 7) % 5))
    return left + right
  })
  const recorder = recordRun(inProcessExecutor)
  const all: AgentOptions = {
    model: 'm',
    tools: Tool,
    output: { type: 'string' },
    runId: 'r',
    retry: { backoff: 0 },
    ...options,
  }
  const first = await ended({ ...all, executor: recorder.executor })
  return { all, first, recording: recorder.recording }
}

/** What a run came to, also where it ended without its output. */
async function ended(options: AgentOptions): Promise<object> {
  try {
    return await Agent(options)
  } catch (thrown) {
    if (!(thrown instanceof LoopError)) throw thrown
    return { ...thrown.result, code: thrown.code }
  }
}

describe('REQ-8a the loop is deterministic', () => {
  test('a recorded run comes to the same, whatever the order in which its Calls end', async () => {
    const { all, first, recording } = await recorded({ client: scriptedModel(script), maxTime: 60_000 })
    expect(first).toMatchObject({ output: 'done', spent: { turns: 3, calls: 10 } })
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const again = await ended({
          ...all,
          client: scriptedModel([]),
          executor: shuffledReplay(recording, { seed }),
        })
        expect(again).toEqual(first)
      }),
      { numRuns: 40 },
    )
  })

  test('with early starts, delegating models and whatever a model may answer', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { all, first, recording } = await recorded({
        client: randomModel({ seed }),
        stream: seed % 2 === 0,
        maxTurns: 5,
      })
      for (const shuffle of [1, 2, 3]) {
        const again = await ended({
          ...all,
          client: scriptedModel([]),
          executor: shuffledReplay(recording, { seed: shuffle }),
        })
        expect(again).toEqual(first)
      }
    }
  })

  test('keys are the same on every run', async () => {
    const keys = async () =>
      [...(await recorded({ client: scriptedModel(script) })).recording.steps.keys()].sort()
    const first = await keys()
    expect(first).toEqual(await keys())
    expect(first).toContain('r:1')
    expect(first).toContain('r:2.0')
  })

  test('a loop that does something else than it did is told so', async () => {
    const { all, recording } = await recorded({ client: scriptedModel(script) })
    const executor = shuffledReplay(recording)
    await expect(Agent({ ...all, executor, runId: 'other' })).rejects.toThrow(
      /dispatched "other:1", which the recorded run did not/,
    )
    await expect(Agent({ ...all, executor, context: [{ type: 'text', text: 'new' }] })).rejects.toThrow(
      /another Call or context/,
    )
  })

  test('a recording that became JSON is refused, with the reason', async () => {
    const { recording } = await recorded({ client: scriptedModel([{ output: 'done' }]) })
    expect(() => shuffledReplay(JSON.parse(JSON.stringify(recording)))).toThrow(
      /in this process: it is not JSON, got/,
    )
  })
})
