import { streamAgent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { expect, test } from 'vitest'
import { add, registryWithTools } from './tools.ts'

const output = { type: 'string' } as const

test.each(['chat', 'responses', 'messages'] as const)(
  'REQ-6a text for a person as an async iterator over %s, while Calls run',
  async (api) => {
    const { Tool, ran } = registryWithTools()
    const answer = 'A text that comes in a good many pieces.'
    const client = scriptedModel([{ calls: [add(1, 2)] }, { output: answer }])
    const { text, result } = streamAgent<string>({ model: 'm', client, api, tools: Tool, output })
    const pieces: string[] = []
    for await (const piece of text) pieces.push(piece)
    expect(pieces.join('')).toBe(answer)
    expect(pieces.length).toBeGreaterThan(1)
    expect((await result).output).toBe(answer)
    expect(ran).toEqual([['add', 1, 2]])
  },
)

test('a run that fails ends its text with the error', async () => {
  const { Tool } = registryWithTools()
  const client = scriptedModel([{ refusal: 'No.' }])
  const { text, result } = streamAgent({ model: 'm', client, tools: Tool, output })
  const read = async (): Promise<void> => {
    for await (const piece of text) expect(piece).toBe('')
  }
  await expect(read()).rejects.toMatchObject({ code: 'model_refused' })
  await expect(result).rejects.toMatchObject({ code: 'model_refused' })
})
