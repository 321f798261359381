import { createContext, createRegistry, lower, type Message, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { number, optional, registryOf, string } from './harness.ts'

/** More than can be spread into the arguments of one function: about 120,000 on a default stack. */
const many = 130_000

const path = tool('path', { n: number, _outputPath: optional(string), _output: number })

describe('what would overflow a stack if it were spread', () => {
  test('CALL-4 OUT-5 very many writes of a group reach the context, in order', async () => {
    const { Tool } = registryOf({ path: ({ n }) => n }, { tools: { path } })
    const context = createContext()
    const _outputPath = Array.from({ length: 16 }, () => '†n').join('&&')
    const calls = Array.from({ length: many / 16 }, (_, n) => ({ _tool: 'path', n, _outputPath }))
    await Tool.all(calls, { context })
    expect(context.messages).toHaveLength(many)
    expect(context.read('†n')).toBe(many / 16 - 1)
  }, 60_000)

  test('OUT-3 a path is read that very many Messages pushed to', () => {
    const pushes = Array.from({ length: many }, (_, item): Message => {
      return {
        type: 'data',
        kind: 'state',
        data: { list: item },
        _path: '†state.list',
        _outputMethod: 'push',
      }
    })
    expect(createContext(pushes).read('†state.list')).toHaveLength(many)
  }, 60_000)

  test('OUT-3a a patch of very many members is read', () => {
    const state = Object.fromEntries(Array.from({ length: many }, (_, index) => [`k${index}`, index]))
    const context = createContext([{ type: 'state', state }])
    expect(context.read(`†state.k${many - 1}`)).toBe(many - 1)
    expect(Object.keys(context.read('†state') as object)).toHaveLength(many)
  }, 60_000)

  test('CALL-1 very many problems of one branch of a union are problems, not a depth', async () => {
    const list = tool('list', {
      items: { anyOf: [{ type: 'array', items: number }, { type: 'null' }] },
      _output: number,
    })
    const { Tool } = createRegistry({ tools: { list } })
    const { error } = await Tool.run({ _tool: 'list', items: Array.from({ length: many }, () => 'x') })
    expect(error).toMatchObject({ code: 'invalid_call' })
    expect(error?.problems?.[0]).toMatchObject({ path: '/items/0', expected: 'a number' })
  }, 60_000)

  test('REQ-5 a long list is lifted', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'string' } }
    const schema = { type: 'object', properties: { tuple }, required: ['tuple'] }
    const value = { tuple: Array.from({ length: many }, () => 'x') }
    const { lift, toLowered } = lower(schema, 'openai')
    expect(lift(toLowered(value))).toEqual(value)
  }, 60_000)
})
