import { describe, expect, test } from 'vitest'
import { RecordedRun } from '../../../../codegen/studio/runs/recorded-run.ts'
import { Agent, type ConfirmRules, Idea, LoopError, type RunEvent } from '../../../../runtime/agent.ts'
import { createRegistry, tool } from '../../../../runtime/index.ts'
import { scriptedModel } from '../../../../runtime/testing.ts'

const number = { type: 'number' } as const
const add = tool('add', { left: number, right: number, _output: number }, { effects: 'read' })
const { Tool, Activity } = createRegistry({ tools: { add } })
Activity.register('add', ({ left, right }) => left + right)

const context = [{ type: 'text', text: 'Add.' }] as const
const call = { _tool: 'add', left: 1, right: 2 }

function recorder(): { readonly events: RunEvent[]; readonly log: (event: RunEvent) => void } {
  const events: RunEvent[] = []
  // As a file would have it.
  return { events, log: (event) => events.push(JSON.parse(JSON.stringify(event)) as RunEvent) }
}

describe('VIEW-2 a run tells what happens in it', () => {
  test('from its start to its end, each Message once', async () => {
    const { events, log } = recorder()
    const client = scriptedModel([{ calls: [call] }, { output: 3 }])
    const options = { model: 'm', client, tools: Tool, context, output: number, runId: 'r' } as const
    const { context: after } = await Agent({ ...options, log })
    expect(events.map((each) => ('key' in each ? `${each.event} ${each.key}` : each.event))).toEqual([
      'start',
      'dispatch r:1',
      'sent',
      'settle r:1',
      'dispatch r:1.0',
      'settle r:1.0',
      'dispatch r:2',
      'sent',
      'settle r:2',
      'end',
    ])
    const told = events.flatMap((each) => ('messages' in each ? (each.messages ?? []) : []))
    expect(told).toEqual(JSON.parse(JSON.stringify(after)))
    expect(events.at(-1)).toMatchObject({ event: 'end', output: 3, spent: { turns: 2, calls: 1 } })
  })

  test.each([
    { stream: false },
    { stream: true },
    { mode: 'native', stream: false },
    { mode: 'native', stream: true },
    { mode: 'native', api: 'responses' },
    { mode: 'native', withoutIds: true },
  ] as const)(
    'who empties what it is told of changes nothing of the run: %j',
    async ({ withoutIds, ...asked }: { withoutIds?: boolean }) => {
      const empty = (value: unknown): void => {
        if (typeof value !== 'object' || value === null || value instanceof Error) return
        for (const key of Object.keys(value)) {
          const member: unknown = Reflect.get(value, key)
          if (typeof member === 'object') empty(member)
          else Reflect.set(value, key, 'hidden')
        }
      }
      const confirm: ConfirmRules = { ask: ({ left }) => (left === 9 ? 'pending' : true) }
      const run = async (log?: (event: RunEvent) => void) => {
        const model = scriptedModel([{ calls: [call] }, { calls: [{ ...call, left: 9 }] }])
        const create = async (body: object): Promise<unknown> => {
          const answer = await model.chat.completions.create(body as never)
          return JSON.parse(JSON.stringify(answer).replaceAll(/"id":"[^"]*",/g, ''))
        }
        const client = withoutIds ? { chat: { completions: { create } } } : model
        const options = {
          ...{ model: 'm', client, tools: Tool, context, output: number, runId: 'r', confirm, ...asked },
          onSent: log as () => void,
        }
        const error: unknown = await Agent({ ...options, ...(log && { log }) }).catch(
          (thrown: unknown) => thrown,
        )
        if (!(error instanceof LoopError)) throw error
        const { outcomes, context: after, suspended } = error.result
        return { ran: outcomes.map(({ call, output }) => [call, output]), after, suspended }
      }
      expect(await run(empty)).toEqual(await run())
    },
  )

  test('REQ-7 Calls that began while their answer was still coming are told of like all others', async () => {
    const { events, log } = recorder()
    const client = scriptedModel([{ calls: [call, { ...call, left: 5 }] }, { output: 3 }])
    const options = { model: 'm', client, tools: Tool, context, output: number, runId: 'r', stream: true }
    const { outcomes } = await Agent({ ...options, log })
    const told = (event: RunEvent['event']) =>
      events.flatMap((each) => (each.event === event && 'key' in each ? [each] : []))
    expect(told('dispatch').map(({ key }) => key)).toEqual(['r:1', 'r:1.0', 'r:1.1', 'r:2'])
    expect(told('dispatch')[1]).toMatchObject({ kind: 'call', effects: 'read', call })
    const settled = told('settle').filter(({ key }) => key.startsWith('r:1.'))
    expect(settled).toMatchObject(
      outcomes.map(({ id, output, endedAt }) => ({ key: id, at: endedAt, outcome: { output } })),
    )
    const run = new RecordedRun()
    for (const event of events) run.add(event)
    expect(run.line).toMatchObject({ requests: 2, calls: 2 })
  })

  test('REQ-7 of an answer that broke off, what had run is told as well', async () => {
    const { events, log } = recorder()
    const client = scriptedModel([{ text: `{"calls":[${JSON.stringify(call)},{"_tool"` }])
    const options = { model: 'm', client, tools: Tool, context, output: number, runId: 'r', stream: true }
    await expect(Agent({ ...options, log })).rejects.toMatchObject({ code: 'interrupted' })
    expect(events).toMatchObject(
      ['start', 'dispatch', 'sent', 'settle', 'dispatch', 'settle', 'end'].map((event) => ({ event })),
    )
    expect(events[5]).toMatchObject({ key: 'r:1.0', outcome: { status: 'succeeded', output: 3 } })
  })

  test('prompts and answers are told as they were sent, also those that were no use', async () => {
    const { events, log } = recorder()
    const client = scriptedModel([{ text: 'no JSON' }, { output: 3 }])
    await Agent({ model: 'm', client, tools: Tool, context, output: number, log })
    const sent = events.filter((each) => each.event === 'sent')
    expect(sent.map(({ attempt, error }) => [attempt, error?.code])).toEqual([
      [1, 'answer_invalid'],
      [2, undefined],
    ])
    expect(sent[0]?.body).toEqual(JSON.parse(JSON.stringify(client.requests[0]?.body)))
    expect(sent[1]?.answer).toBeDefined()
  })

  test('so are those of a delegate, with Tools of its own or without', async () => {
    const { events, log } = recorder()
    const { Tool } = createRegistry()
    const one = tool('one', { _output: number })
    Tool.fromIdea('plain', new Idea({ schema: number, context: [] }))
    Tool.fromIdea('equipped', new Idea({ schema: number, context: [{ type: 'tool', tool: one }] }))
    const client = scriptedModel([
      { calls: [{ _tool: 'plain' }] },
      { output: 1 },
      { calls: [{ _tool: 'equipped' }] },
      { calls: [{ _tool: 'one', _output: 1 }] },
      { output: 2 },
      { output: 3 },
    ])
    await Agent({ model: 'm', client, tools: Tool, output: number, log })
    const bodies = events.flatMap((each) => (each.event === 'sent' ? [each.body] : []))
    expect(bodies).toEqual(client.requests.map(({ body }) => JSON.parse(JSON.stringify(body))))
  })

  test('a run that fails tells why, and is thrown all the same', async () => {
    const { events, log } = recorder()
    const client = scriptedModel([{ calls: [call] }])
    const error = await Agent({ model: 'm', client, tools: Tool, output: number, maxTurns: 1, log }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(LoopError)
    expect(events.at(-1)).toMatchObject({ event: 'end', error: { code: 'limit_reached' } })
  })

  test('a run that waits tells what to decide', async () => {
    const { events, log } = recorder()
    const client = scriptedModel([{ calls: [call] }])
    const confirm: ConfirmRules = { effects: ['read'], ask: () => 'pending' }
    await Agent({ model: 'm', client, tools: Tool, output: number, confirm, log, runId: 'r' }).catch(() => {})
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      error: { code: 'approval_pending' },
      suspended: { runId: 'r', approvals: [{ calls: [{ _tool: 'add' }] }] },
    })
  })

  test('who is told and throws changes nothing', async () => {
    const said: unknown[] = []
    const original = console.error
    console.error = (...words) => said.push(words)
    const client = scriptedModel([{ output: 3 }])
    const log = (): void => {
      throw new Error('the disk is full')
    }
    const { output } = await Agent({ model: 'm', client, tools: Tool, output: number, log }).finally(() => {
      console.error = original
    })
    expect(output).toBe(3)
    expect(said.length).toBeGreaterThan(0)
  })
})
