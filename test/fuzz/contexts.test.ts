import { createContext, createRegistry, isCallsheetError, type Message, render, tool } from 'callsheet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMessage } from '../../runtime/context/well-formed-message.ts'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'
import { hostileJson, hostileText } from './hostile-json.ts'

/** A Message as it should be. */
const wellFormed = fc.record(
  {
    type: fc.constant('data'),
    kind: fc.constantFrom('state', 'input', 'result', 'secret', 'odd kind'),
    data: fc.oneof(hostileJson, fc.constantFrom({ a: 1 }, { a: { b: 2 } })),
    _instance: fc.constantFrom('mine', 'theirs'),
  },
  { requiredKeys: ['type', 'kind', 'data'], noNullPrototype: true },
)

/** So that a Call finds its instance, and what it refers to. */
const known = [
  { type: 'data', kind: 'state', data: { a: 1 } },
  { type: 'data', kind: 'secret', data: { a: 2 }, _instance: 'mine' },
]

/** Messages, nearly Messages, and nonsense. */
const message = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      {
        type: fc.constantFrom('data', 'state', 'input', 'text', 'tool', 'plan', 'error', 'nope'),
        kind: fc.constantFrom('state', 'input', 'result', 'secret', '__proto__'),
        data: hostileJson,
        state: hostileJson,
        input: hostileJson,
        text: hostileText,
        plan: fc.constantFrom<unknown>([], [{ _tool: 'look' }], 'x'),
        _instance: fc.oneof(fc.constantFrom('mine', 'theirs'), hostileText),
        _path: fc.oneof(fc.constantFrom('†state.a', '†secret.a', '†state.a.b'), hostileText),
        _outputMethod: fc.constantFrom('set', 'merge', 'push', 'nope'),
      },
      { requiredKeys: ['type'], noNullPrototype: true },
    ),
  },
  { weight: 1, arbitrary: hostileJson },
)

const tools = {
  look: tool('look', {
    value: true,
    _scopes: { const: ['state'] },
    _instance: { type: 'string' },
    _outputPath: { type: 'string' },
    _output: true,
  }),
}

let looks = 0

fuzz(
  'SCOPE-1, INST-2, OUT-1 any context: one Outcome, nothing changed, nothing seen beyond scope and instance',
  300,
  fc.record({
    messages: fc.oneof(
      { weight: 2, arbitrary: fc.array(wellFormed, { maxLength: 8 }).map((more) => [...known, ...more]) },
      { weight: 1, arbitrary: fc.array(message, { maxLength: 8 }) },
    ),
    value: fc.constantFrom<unknown>(1, '†state.a', '†state', '†input.a || †state.b', '†secret.a'),
    instance: fc.constantFrom('mine', undefined),
    useContext: fc.boolean(),
  }),
  async ({ messages, value, instance, useContext }) => {
    const given = messages as Message[]
    const before = JSON.stringify(given)
    const { Tool, Activity } = createRegistry({ tools })
    let seen: readonly Message[] = []
    Activity.register('look', (call, _tool, context) => {
      seen = context
      if (context.length > 0) looks++
      return call.value
    })
    const context = useContext && given.every(isMessage) ? createContext(given) : given
    const call = {
      _tool: 'look',
      value,
      _scopes: ['state'],
      _outputPath: '†state.out',
      ...(instance !== undefined && { _instance: instance }),
    }
    const outcome = await Tool.run(call, { context })
    expect(JSON.stringify(given)).toBe(before)
    if (outcome.error) expect(isCallsheetError(outcome.error)).toBe(true)
    for (const part of seen) {
      expect(['state', 'data']).toContain(part.type)
      if (part.type === 'data') expect(part.kind).toBe('state')
      expect([undefined, instance]).toContain(part._instance)
    }
    const written = JSON.stringify(outcome.appended)
    if (outcome.status === 'succeeded' && value === '†state' && outcome.output !== undefined) {
      expect(written).toContain('"out"')
    }
  },
)

test('the Activity above saw something often enough to see too much', () => {
  expect(looks).toBeGreaterThan(often(40))
})

fuzz(
  'Messages: what passes as one is taken as one everywhere',
  300,
  fc.array(message, { maxLength: 4 }),
  (messages) => {
    const isEach = messages.every(isMessage)
    const made = attempt(() => createContext(messages as Message[]))
    expect(isCallsheetError(made)).toBe(!isEach)
    expect(attempt(() => render(tools, 'typescript'))).toBeTypeOf('string')
  },
)

function attempt(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    if (isCallsheetError(error)) return error
    throw error
  }
}
