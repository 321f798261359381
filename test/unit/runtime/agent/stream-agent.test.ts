import { streamAgent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { expect, test, vi } from 'vitest'
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

test.each(['onText', 'onSent', 'onTurn', 'log'] as const)(
  'a promise of %s that rejects goes to the console, and ends no process',
  async (listener) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const { Tool } = registryWithTools()
      const client = scriptedModel([{ output: 'done' }])
      const listeners = { log: () => {}, [listener]: () => Promise.reject(new Error('mine')) }
      const { result } = streamAgent({ model: 'm', client, tools: Tool, output, ...listeners })
      expect((await result).output).toBe('done')
      await new Promise((turned) => setTimeout(turned, 0))
      expect(unhandled).toEqual([])
      expect(told).toHaveBeenCalledWith(expect.stringContaining(`\`${listener}\``), new Error('mine'))
    } finally {
      process.off('unhandledRejection', note)
      told.mockRestore()
    }
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

test('CALL-11a text of very many pieces, read when all have come, takes time by its length', async () => {
  const { Tool } = registryWithTools()
  /** Microseconds of the processor that reading takes: the clock also counts what else the machine does. */
  async function reading(many: number): Promise<number> {
    async function* chunks() {
      yield { choices: [{ delta: { content: '{"calls":[],"output":"' } }] }
      const piece = { choices: [{ delta: { content: 'a' } }] }
      for (let at = 0; at < many; at++) yield piece
      yield { choices: [{ delta: { content: '"}' }, finish_reason: 'stop' }] }
    }
    const client = { chat: { completions: { create: async () => chunks() } } }
    const { text, result } = streamAgent({ model: 'm', client, api: 'chat', tools: Tool, output })
    expect((await result).output).toHaveLength(many)
    const started = process.cpuUsage()
    let length = 0
    for await (const piece of text) length += piece.length
    expect(length).toBe(many)
    return process.cpuUsage(started).user
  }
  // Eight times as many; sixty-four times would be the square.
  expect((await reading(80_000)) / (await reading(10_000))).toBeLessThan(30)
})
