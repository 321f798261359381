import type { Call, Message } from 'callsheet'
import {
  Agent,
  type AgentOptions,
  type DispatchPolicy,
  type ExecutorFactory,
  inProcessExecutor,
} from 'callsheet/agent'
import { recordRun, scriptedModel, shuffledReplay } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { add, registryWithTools } from './tools.ts'

/** Each Call reads what the one before it has written; the others write what stands beside it. */
const chains: Record<string, (length: number) => Call[]> = {
  'in order': (length) => chain(length),
  'last first': (length) => chain(length).reverse(),
  'in lanes': (length) =>
    Array.from({ length }, (_, index) =>
      add(index < 4 ? 0 : `†state.s${index - 4}`, 1, { _outputPath: `†state.s${index}` }),
    ),
  'joined in pairs': (length) =>
    Array.from({ length }, (_, index) => {
      const before = Math.floor(index / 3) * 3
      const left = index % 3 === 2 ? `†state.s${before}` : before === 0 ? 0 : `†state.s${before - 1}`
      const right = index % 3 === 2 ? `†state.s${before + 1}` : 1
      return add(left, right, { _outputPath: `†state.s${index}` })
    }),
  'under one name': (length) =>
    Array.from({ length }, (_, index) =>
      add(index === 0 ? 0 : `†state.steps.s${index - 1}`, 1, { _outputPath: `†state.steps.s${index}` }),
    ),
}

function chain(length: number): Call[] {
  return Array.from({ length }, (_, index) =>
    add(index === 0 ? 0 : `†state.s${index - 1}`, 1, { _outputPath: `†state.s${index}` }),
  )
}

function run(plan: Call[], options: Partial<AgentOptions> = {}) {
  return Agent({
    model: 'm',
    client: scriptedModel([{ output: 'done' }]),
    tools: registryWithTools().Tool,
    context: [{ type: 'plan', plan }],
    output: { type: 'string' },
    maxCalls: plan.length,
    runId: 'run',
    ...options,
  })
}

/** Counts how often a Message that a Call added is taken out of its list or looked into, while the plan is carried out. */
async function looks(plan: Call[]): Promise<number> {
  let count = 0
  let isOver = false
  const counted = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(from, name, self) {
        if (!isOver && (name === 'type' || /^\d+$/.test(String(name)))) count++
        return Reflect.get(from, name, self)
      },
    })
  const executor: ExecutorFactory = (perform) => {
    const looked = async (...given: Parameters<typeof perform>) => {
      const outcome = await perform(...given)
      return { ...outcome, appended: counted(outcome.appended.map(counted)) }
    }
    return inProcessExecutor(looked)
  }
  const onTurn = () => {
    isOver = true
  }
  const { outcomes } = await run(plan, { executor, onTurn })
  expect(outcomes.filter(({ status }) => status === 'succeeded')).toHaveLength(plan.length)
  return count
}

describe('REQ-8 REQ-10 long plans', () => {
  test.each(Object.keys(chains))(
    'what a Call reads costs the same, however long the chain: %s',
    async (shape) => {
      const of = chains[shape] as (length: number) => Call[]
      const small = await looks(of(150))
      const large = await looks(of(600))
      expect(small).toBeGreaterThanOrEqual(150)
      // Four times the Calls; were each to go through what it waits for, it would be sixteen times.
      expect(large).toBeLessThanOrEqual(small * 5)
    },
  )

  test.each(Object.keys(chains))('a shuffled replay comes to the same: %s', async (shape) => {
    const plan = (chains[shape] as (length: number) => Call[])(40)
    const recorder = recordRun(inProcessExecutor)
    const first = await run(plan, { executor: recorder.executor })
    for (const seed of [1, 2, 3]) {
      const again = await run(plan, { executor: shuffledReplay(recorder.recording, { seed }) })
      expect(again).toEqual(first)
    }
  })

  test('an engine that looks at a policy gets the list of what its Call waits for, as plain JSON', async () => {
    const seen: DispatchPolicy[] = []
    const executor: ExecutorFactory = (perform) =>
      inProcessExecutor((call, key, policy) => {
        const stored = JSON.parse(JSON.stringify(policy)) as DispatchPolicy
        if (policy.kind === 'call') seen.push(stored)
        return perform(call, key, stored)
      })
    const [first, second, third] = chain(3) as [Call, Call, Call]
    const beside = add(7, 8, { _outputPath: '†state.beside' })
    const { outcomes } = await run([first, beside, second, third], { executor })
    expect(outcomes.map(({ output }) => output)).toEqual([1, 15, 2, 3])
    const paths = seen.map(({ context }) => context.flatMap((each) => ('_path' in each ? [each._path] : [])))
    expect(paths.sort()).toEqual([[], [], ['†state.s0'], ['†state.s0', '†state.s1']])
  })

  test('more Messages than a function takes arguments', async () => {
    const many = Array.from({ length: 200_000 }, (_, index): Message => ({ type: 'text', text: `${index}` }))
    const executor: ExecutorFactory = (perform) =>
      inProcessExecutor(async (call, key, policy) => {
        const outcome = await perform(call, key, { ...policy, context: policy.context.slice(0, 1) })
        return policy.kind === 'call' ? { ...outcome, appended: many } : outcome
      })
    const { context } = await run([add(1, 2)], { executor })
    // The plan, what the Call added, and that nothing is left of the plan.
    expect(context).toHaveLength(many.length + 2)
  })
})
