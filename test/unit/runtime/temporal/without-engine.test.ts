import { isCallsheetError } from 'callsheet'
import { type TemporalAgent, temporalActivities } from 'callsheet/temporal'
import { scriptedModel } from 'callsheet/testing'
import { type TemporalWorkflow, temporalSteps } from 'callsheet/workflow'
import { describe, expect, test } from 'vitest'
import { pay, registryWithTools } from '../agent/tools.ts'

class Failure extends Error {
  readonly type: string | undefined

  constructor(message: string, type: string | undefined) {
    super(message)
    this.type = type
  }
}

/** Steps whose Activities run at once; what is no failure of Temporal's would be repeated for ever there. */
async function workflowOf(agent: unknown) {
  const { Tool, ran } = registryWithTools()
  const Context = {
    current: () => ({
      info: { attempt: 1 },
      cancellationSignal: new AbortController().signal,
      heartbeat() {},
    }),
  }
  const activities = temporalActivities({ Tool, Context, agents: { payer: agent as TemporalAgent } })
  const plain = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
  const workflow: TemporalWorkflow = {
    proxyActivities: () =>
      new Proxy(
        {},
        {
          get: (_, name) => async (given: unknown) =>
            plain(await activities[String(name)]?.(plain(given) as never)),
        },
      ),
    workflowInfo: () => ({ workflowId: 'w' }),
    condition: () => Promise.resolve(true),
    defineQuery: (name) => name,
    defineUpdate: (name) => name,
    setHandler() {},
    ApplicationFailure: { nonRetryable: (message, type) => new Failure(message, type) },
  }
  return { steps: await temporalSteps({ workflow }), ran }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => expect.fail(`it should fail, and gives ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )

describe('DUR-4 what ends a workflow of Temporal', () => {
  const options = () => ({
    model: 'm',
    client: scriptedModel([{ calls: [pay(5)] }, { output: 'done' }]),
    output: { type: 'string' },
  })

  test.each([
    [
      'REQ-9 a misspelt `ask`',
      () => ({ ...options(), confirm: { effects: ['write'], asks: () => false } }),
      /\/confirm: expected a function/,
    ],
    [
      'REQ-9 effects that are none',
      () => ({ ...options(), confirm: { effects: ['writes'], ask: () => false } }),
      /\/confirm: expected a function/,
    ],
    [
      'a misspelt `confirm`',
      () => ({ ...options(), confrim: () => false }),
      /\/confrim: .*did you mean "confirm"/,
    ],
    ['what the engine decides', () => ({ ...options(), early: 'all' }), /\/early: no such property/],
    ['a promise of options', async () => options(), /"payer" gives a promise of its options/],
    ['nothing', () => undefined, /the agent "payer" cannot be used: .*an object of options/],
    [
      'messages of a provider',
      () => ({ ...options(), context: [{ role: 'user', content: 'Pay.' }] }),
      /Message 0 of the context/,
    ],
  ])('an agent of %s is refused, and nothing runs', async (_, agent, why) => {
    const { steps, ran } = await workflowOf(agent)
    const failure = await failureOf(steps.agent('payer'))
    expect(failure).toBeInstanceOf(Failure)
    expect((failure as Failure).message).toMatch(why)
    expect(ran).toEqual([])
  })

  test('an agent that there is not', async () => {
    const { steps } = await workflowOf(options)
    expect(await failureOf(steps.agent('buyer'))).toMatchObject({
      type: 'invalid_options',
      message: 'There is no agent "buyer". Given to temporalActivities: payer.',
    })
  })

  test('CALL-4 a group that cannot run: its error ends the workflow, and one that catches it knows it', async () => {
    const { steps, ran } = await workflowOf(options)
    const failure = await failureOf(steps.all([pay(1), { _tool: 'pay', amount: 'x' }]))
    expect(failure).toBeInstanceOf(Failure)
    expect(isCallsheetError(failure)).toBe(true)
    expect(failure).toMatchObject({
      code: 'invalid_call',
      type: 'invalid_call',
      problems: [{ path: '/amount' }],
    })
    expect(ran).toEqual([])
  })
})
