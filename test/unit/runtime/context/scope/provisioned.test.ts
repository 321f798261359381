import { createContext, createRegistry, type Message, tool } from 'callsheet'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

const messages: readonly Message[] = [
  { type: 'state', state: { open: 1, secret: 2 } },
  { type: 'input', input: { n: 3 } },
]

const string = { type: 'string' }

/** The same list of scopes, as it can be declared. */
const spellings: [string, object][] = [
  ['const', { const: ['†state.open'] }],
  ['an enum of one', { enum: [['†state.open']] }],
  ['a tuple of TypeBox', Type.Tuple([Type.Literal('†state.open')])],
  [
    'a tuple of draft 2020-12',
    { type: 'array', prefixItems: [{ const: '†state.open' }], items: false, minItems: 1 },
  ],
]

/** What the Activity of a Tool with these scopes gets to see. */
function looking(scopes: object) {
  const look = tool('look', { _scopes: scopes, _output: {} })
  const { Tool, Activity } = createRegistry({ tools: { look } })
  const shown = (message: Message): unknown =>
    message.type === 'input' ? message.input : 'data' in message && message.data
  Activity.register('look', (_call, _tool, context) => Array.from(context, shown))
  return Tool
}

describe.each(spellings)('SCOPE-2 provisioned by %s', (_spelling, scopes) => {
  test('a Call need not say them', async () => {
    expect(await looking(scopes)({ _tool: 'look' }, { context: messages })).toEqual([{ open: 1 }])
  })

  test('a Call that says the same is in order', async () => {
    const call = { _tool: 'look', _scopes: ['†state.open'] }
    expect(await looking(scopes)(call, { context: createContext(messages) })).toEqual([{ open: 1 }])
  })

  test.each([[['state']], [['†state.open', 'input']], [['†state.secret']], [[]], ['state'], [null]])(
    'a Call cannot widen or change them: %j',
    async (_scopes) => {
      const outcome = await looking(scopes).run({ _tool: 'look', _scopes }, { context: messages })
      expect(outcome).toMatchObject({ status: 'failed', attempts: 0, error: { code: 'invalid_call' } })
    },
  )
})

describe('SCOPE-2 requested', () => {
  const open = { type: 'array', items: { enum: ['input', '†state.open'] } }

  test.each<[readonly string[], unknown]>([
    [['input'], [{ n: 3 }]],
    [
      ['†state.open', 'input'],
      [{ open: 1 }, { n: 3 }],
    ],
    [[], []],
  ])('%j', async (_scopes, seen) => {
    expect(await looking(open)({ _tool: 'look', _scopes }, { context: messages })).toEqual(seen)
  })

  test('within the enum, and said', async () => {
    const wide = await looking(open).run({ _tool: 'look', _scopes: ['state'] }, { context: messages })
    expect(wide.error).toMatchObject({ code: 'invalid_call', problems: [{ path: '/_scopes/0' }] })
    expect((await looking(open).run({ _tool: 'look' })).error).toMatchObject({ code: 'invalid_call' })
  })
})

test('a delegate that an enum of one fixes need not be said either (CALL-3)', async () => {
  const ask = tool('ask', { _delegate: { enum: ['anonymous'] }, _output: string })
  const { Tool, Activity } = createRegistry({ tools: { ask } })
  Activity.register('ask', (_call, _tool, context) => String(context.length))
  expect(await Tool({ _tool: 'ask' })).toBe('1')
  const other = await Tool.run({ _tool: 'ask', _delegate: 'else' })
  expect(other.error).toMatchObject({ code: 'activity_mismatch' })
})
