import { createRegistry, tool } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }
const found = {
  type: 'object',
  properties: { place: text, line: { type: 'integer' } },
  required: ['place'],
  additionalProperties: false,
}

/** Runs an agent over native tools whose model says `first`, and what was asked for once it is asked again. */
async function run(first: string, output: object = found) {
  const { Tool, Activity } = createRegistry({ tools: { look: tool('look', { at: text, _output: text }) } })
  Activity.register('look', ({ at }) => at)
  const client = scriptedModel([{ text: first }, { text: '{"output":{"place":"asked again"}}' }])
  const ended = await Agent({ model: 'm', client, tools: Tool, mode: 'native', output })
  return { output: ended.output, requests: client.requests.length }
}

describe('REQ-6 the goal beside native tools', () => {
  test.each([
    ['as it was asked for', '{"output":{"place":"a"}}', { place: 'a' }],
    ['without what is around it', '{"place":"a"}', { place: 'a' }],
    ['with a null for what is absent', '{"place":"a","line":null}', { place: 'a' }],
  ])('%s', async (_, said, output) => {
    expect(await run(said)).toEqual({ output, requests: 1 })
  })

  test.each([
    ['another object', '{"x":1}'],
    ['the goal, misspelt', '{"output":{"plaec":"a"}}'],
    ['a tool call in words', '<tool_call>{"name":"look","arguments":{"at":"a"}}</tool_call>'],
    ['a composed answer', '{"calls":[{"_tool":"look","at":"a"}],"output":null}'],
    ['a composed answer with the goal', '{"calls":[{"_tool":"look","at":"a"}],"output":{"place":"a"}}'],
  ])('%s is asked for again, and nothing of it is dropped without a word', async (_, said) => {
    expect(await run(said)).toEqual({ output: { place: 'asked again' }, requests: 2 })
  })
})
