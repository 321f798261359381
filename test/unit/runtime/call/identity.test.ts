import { describe, expect, test } from 'vitest'
import { createRegistry } from '../../../../runtime/index.ts'

const schema = {
  type: 'object',
  properties: { _tool: { const: 'look' }, _output: { type: 'string' } },
  required: ['_tool'],
}

/** A Tool whose output is the id that its Activity was told. */
function registry() {
  const { Tool, Activity } = createRegistry({ tools: { look: schema } })
  const seen: string[] = []
  Activity.register('look', (_call, _tool, _context, run) => {
    seen.push(run.id)
    if (seen.length === 1) throw new Error('once more')
    return run.id
  })
  return { Tool, seen }
}

const look = { _tool: 'look' }
const twice = { retry: { attempts: 2, allowEffects: true } }

describe('the id of a Call', () => {
  test('CALL-7 is the same on every attempt, whether or not anybody sees an Outcome', async () => {
    const { Tool, seen } = registry()
    const id = await Tool(look, twice)
    expect(id).toMatch(/./)
    expect(seen).toEqual([id, id])
  })

  test('is another for each Call, and the one that was given', async () => {
    const { Tool } = registry()
    const first = await Tool(look, twice)
    const second = await Tool(look)
    expect(second).toMatch(/./)
    expect(second).not.toBe(first)
    expect(await Tool(look, { id: 'mine' })).toBe('mine')
  })

  test('CALL-8 is that of its Outcome, with times', async () => {
    const { Tool } = registry()
    const before = Date.now()
    const { id, output, startedAt, endedAt } = await Tool.run(look, twice)
    expect(output).toBe(id)
    expect(startedAt).toBeGreaterThanOrEqual(before)
    expect(endedAt).toBeGreaterThanOrEqual(startedAt)
  })

  test('CALL-10 is that of its events, also where only its start is listened to', async () => {
    const { Tool } = registry()
    const started: string[] = []
    Tool.on('call:start', ({ id }) => started.push(id))
    Tool.on('activity:retry', ({ id }) => started.push(id))
    const id = await Tool(look, twice)
    expect(started).toEqual([id, id])
  })

  test('CALL-10 a listener that came too late for the start is not told of an Outcome that nobody recorded', async () => {
    const { Tool, Activity } = createRegistry({ tools: { look: schema } })
    const ended: unknown[] = []
    let off: (() => void) | undefined
    Activity.register('look', () => {
      off ??= Tool.on('call:end', (outcome) => ended.push(outcome))
      return 'done'
    })
    await Tool(look)
    expect(ended).toEqual([])
    await Tool(look)
    expect(ended).toEqual([expect.objectContaining({ id: expect.stringMatching(/./), output: 'done' })])
    off?.()
  })
})
