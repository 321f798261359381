import { type Call, createContext, createRegistry, isCallsheetError, type Message, tool } from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzz } from './campaign.ts'
import { hostileJson, hostileText } from './hostile-json.ts'

const number = { type: 'number' }
const tools = {
  closed: tool('closed', { n: number, _output: number }),
  open: tool(
    'open',
    { _outputPath: { type: 'string' }, _instance: { type: 'string' }, _output: true },
    {
      additionalProperties: true,
    },
  ),
  latent: tool('latent', { text: { type: 'string' }, _output: number }),
}

/** A registry whose Activities change all that they are given, and what it says of its Calls. */
function registry() {
  const { Tool, Activity } = createRegistry({ tools })
  let ended = 0
  Activity.register('closed', (call) => vandalised(call, 1))
  Activity.register('open', (call, schema, context) => {
    const output = call.value
    vandalised(schema, 0)
    vandalised(context, 0)
    return vandalised(call, output)
  })
  Tool.on('call:end', () => {
    ended++
  })
  return { Tool, ended: () => ended }
}

function vandalised<Result>(given: object, result: Result): Result {
  for (const key of Object.keys(given)) Reflect.deleteProperty(given, key)
  Reflect.set(given, 'vandalised', true)
  return result
}

const member = fc.tuple(
  fc.oneof(
    fc.constantFrom('n', 'value', 'text', '_outputPath', '_output', '_instance', '_activity'),
    hostileText,
  ),
  fc.oneof(
    fc.constantFrom<unknown>(1, 'x', '†state.seed', '†state.out.a', 'a.b', '†state.a || †state.b'),
    hostileJson,
  ),
)

/** What a model may send, with an own `__proto__` where it says so. */
const call = fc
  .tuple(
    fc.oneof(fc.constantFrom('closed', 'open', 'latent'), hostileText),
    fc.array(member, { maxLength: 5 }),
  )
  .map(([name, members]) => {
    const text = [['_tool', name] as const, ...members]
      .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join()
    return JSON.parse(`{${text}}`) as Call
  })

const seed: Message[] = [{ type: 'state', state: { seed: { a: [1] } } }]

fuzz(
  'CALL-1, CALL-8, ACT-8 any Call at all: one Outcome, no exception, nobody else’s data changed',
  400,
  fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: fc.anything() as fc.Arbitrary<Call> }),
  async (given) => {
    const { Tool, ended } = registry()
    const before = serialised(given)
    const context = createContext(seed)
    const outcome = await Tool.run(given, { context })
    expect(ended()).toBe(1)
    expect(['succeeded', 'failed']).toContain(outcome.status)
    expect(outcome.error === undefined).toBe(outcome.status === 'succeeded')
    if (outcome.error) {
      expect(isCallsheetError(outcome.error)).toBe(true)
      expect(outcome.error.message).not.toMatch(/Cannot read|is not a function/)
      expect(outcome.error.message.length).toBeLessThan(4000)
    }
    expect(serialised(given)).toBe(before)
    expect(context.messages).toHaveLength(1 + outcome.appended.length)
    expect(seed).toEqual([{ type: 'state', state: { seed: { a: [1] } } }])
    // What was written is plain JSON, so that a run can be stored.
    expect(JSON.parse(JSON.stringify(outcome.appended))).toEqual(outcome.appended)
  },
)

fuzz(
  'CALL-4 – CALL-8 groups of any Calls: as many Outcomes as Calls that were accepted, and one settlement',
  150,
  fc.tuple(fc.constantFrom('all', 'any', 'race'), fc.array(call, { maxLength: 5 })),
  async ([strategy, calls]) => {
    const { Tool, ended } = registry()
    const context = createContext(seed)
    const group: Promise<unknown> = Tool[strategy](calls, { context })
    const error: unknown = await group.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error !== undefined) expect(isCallsheetError(error) || error instanceof AggregateError).toBe(true)
    expect(ended()).toBe(calls.length)
  },
)

/** Text by which a change would show; any value, cyclic or not. */
function serialised(value: unknown): string {
  return fc.stringify(value)
}
