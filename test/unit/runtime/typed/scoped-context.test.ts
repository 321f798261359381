import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../../../runtime/call/run-options.ts'
import type { Message } from '../../../../runtime/context/message.ts'
import { message } from '../../../../runtime/context/well-formed-message.ts'
import { createRegistry } from '../../../../runtime/create-registry.ts'

const context: Message[] = [
  { type: 'input', input: { city: 'Oslo', secret: 'x' } },
  { type: 'state', state: { user: { name: 'Ada' } } },
  { type: 'data', kind: 'state', data: { user: { name: 'Bo' } }, _path: '†state.user.name', _instance: 'i1' },
  { type: 'text', text: 'hello' },
]

/** Runs a Call of a Tool with these scopes and gives what its Activity was handed. */
async function handed(scopes: string[], call: object = {}, options: RunOptions = {}, failures = 0) {
  const seen: unknown[] = []
  const { Tool, Activity } = createRegistry()
  Tool.register('look', {
    effects: 'read',
    properties: {
      _tool: { const: 'look' },
      _scopes: { const: scopes },
      _instance: { type: 'string' },
      _output: {},
    },
  })
  Activity.register('look', (_call, _tool, given, { attempt }) => {
    seen.push(given)
    if (attempt <= failures) throw new Error('again')
    return 1
  })
  await Tool({ _tool: 'look', ...call }, { context, ...options })
  // biome-ignore lint/suspicious/noExplicitAny: an Activity without generated types
  return seen as any[]
}

describe('TYPE-4 the context of a Tool that fixes its scopes', () => {
  test('is the list of its Messages, and has what they come to besides', async () => {
    const [given] = await handed(['state', '†input.city'])
    expect(given).toEqual([
      { type: 'data', kind: 'input', data: { city: 'Oslo' } },
      { type: 'state', state: { user: { name: 'Ada' } } },
    ])
    expect(Object.keys(given)).toEqual(['0', '1'])
    expect(JSON.parse(JSON.stringify(given))).toHaveLength(2)
    expect(given.state).toEqual({ user: { name: 'Ada' } })
    expect(given.input).toEqual({ city: 'Oslo' })
    expect(given.state).toBe(given.state)
  })

  test('is read as the instance of the Call reads', async () => {
    const [given] = await handed(['state'], { _instance: 'i1' })
    expect(given.state).toEqual({ user: { name: 'Bo' } })
  })

  test('has an empty object where there is nothing', async () => {
    const [given] = await handed(['audit', 'state'], {}, { context: [] })
    expect([given.audit, given.state, given.length]).toEqual([{}, {}, 0])
    const [other] = await handed(['audit', 'state'])
    expect(other.audit).toEqual({})
  })

  test('keeps the members that lists have, and nobody’s prototype is touched', async () => {
    const [given] = await handed(['length', 'map', 'state', 'toString'])
    expect(given.length).toBe(1)
    expect(given.map).toBe(Array.prototype.map)
    expect(given.toString).toBe(Array.prototype.toString)
  })

  test('is another one on each attempt', async () => {
    const [first, second] = await handed(['state'], {}, { retry: { attempts: 2, backoff: 0 } }, 1)
    expect(first.state).toEqual({ user: { name: 'Ada' } })
    expect(second.state).toEqual(first.state)
    expect(second.state).not.toBe(first.state)
  })

  test('is a copy: changing a member changes no Message', async () => {
    const [given] = await handed(['state'])
    given.state.user.name = 'changed'
    expect(given[0]).toEqual({ type: 'state', state: { user: { name: 'Ada' } } })
    expect(context[1]).toEqual({ type: 'state', state: { user: { name: 'Ada' } } })
  })

  test('SCOPE-2 is there without being asked for, however the Tool spells the list', async () => {
    for (const list of [{ const: ['state'] }, Type.Tuple([Type.Literal('state')])]) {
      const { Tool, Activity } = createRegistry()
      const properties = { _tool: { const: 'look' }, _scopes: list, _output: {} }
      Tool.register('look', { properties, required: ['_tool', '_scopes'] })
      // biome-ignore lint/suspicious/noExplicitAny: an Activity without generated types
      Activity.register('look', (_call, _tool, given: any) => given.state.user.name)
      expect(await Tool({ _tool: 'look' }, { context })).toBe('Ada')
    }
  })

  test.each([
    ['anonymous', { user: { name: 'Bo' } }],
    ['poet', { user: { name: 'Bo' }, style: 'short' }],
  ])(
    'is there in a clean room as well, with what is the own of the delegate: %s',
    async (delegate, state) => {
      const { Tool, Activity } = createRegistry({
        ideas: { poet: { schema: {}, context: [{ type: 'state', state: { user: 5, style: 'short' } }] } },
      })
      const properties = {
        _tool: { const: 'look' },
        _scopes: { const: ['state'] },
        _delegate: { const: delegate },
        _instance: { type: 'string' },
        _output: {},
      }
      Tool.register('look', { properties, required: ['_tool'] })
      // biome-ignore lint/suspicious/noExplicitAny: an Activity without generated types
      Activity.register('look', (_call, _tool, given: any) => given.state)
      const run = { context, retry: { attempts: 2 } }
      expect(await Tool({ _tool: 'look', _instance: 'i1' }, run)).toEqual(state)
    },
  )

  test('has no members without scopes', async () => {
    const [given] = await handed([])
    expect('state' in given).toBe(false)
    expect(message({ type: 'text', text: 'still there' }).type).toBe('text')
  })
})
