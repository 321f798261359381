import { askAgain, Idea, Request, Vessel } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'
import { add, registryWithTools } from './tools.ts'

const schema = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
} as const
const context = [{ type: 'text', text: 'Glaciers move.' }] as const

describe('REQ-11 Ideas and Vessels', () => {
  test('an Idea whose solution breaks its schema is refused, with every problem', () => {
    const made = () => new Idea({ schema, context, solution: { summary: 7 } })
    expect(made).toThrow(/\/summary: expected a string/)
    expect(made).toThrow(expect.objectContaining({ code: 'answer_invalid', problems: [expect.anything()] }))
    expect(new Idea({ schema, context, solution: { summary: 'ok' } }).solution).toEqual({ summary: 'ok' })
  })

  test.each(['chat', 'responses', 'messages'] as const)('an Idea is asked again over %s', async (api) => {
    const client = scriptedModel([{ output: { summary: 'They do.' }, usage: { in: 3, out: 2 } }])
    const { answer, idea, usage } = await askAgain(new Idea({ schema, context }), { model: 'm', client, api })
    expect(answer).toEqual({ summary: 'They do.' })
    expect(idea.solution).toEqual(answer)
    expect(usage).toMatchObject({ in: 3, out: 2 })
    expect(JSON.stringify(client.requests[0]?.body)).toMatch(/Glaciers move/)
  })

  test('an Idea whose context nests deeper than can be written is refused, and nobody asked', async () => {
    const client = scriptedModel([{ output: { summary: 'They do.' } }])
    const data: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))
    const deep = { schema: { type: 'string' }, context: [{ type: 'data', kind: 'state', data }] } as const
    await expect(askAgain(deep, { model: 'm', client })).rejects.toMatchObject({ code: 'invalid_call' })
    expect(client.requests).toEqual([])
  })

  test('a Vessel is asked again, from its JSON and without its Tools', async () => {
    const { Tool } = registryWithTools()
    const first = scriptedModel([{ calls: [add(1, 2)] }])
    const { vessel } = await Request({ model: 'm', client: first, tools: Tool, context })
    const stored = new Vessel(JSON.parse(JSON.stringify(vessel)))
    const client = scriptedModel([{ calls: [add(3, 4)] }])
    const { answer } = await askAgain<{ calls: unknown[] }>(stored, { model: 'm', client })
    expect(answer.calls).toMatchObject([add(3, 4)])
    expect(stored.replay().calls).toMatchObject([add(1, 2)])
  })
})
