import { type Call, createRegistry, type Message, type ToolApi, tool } from 'callsheet'
import { type Check, registryOf } from 'callsheet/wiring'
import { describe, expect, test } from 'vitest'
import { surface } from '../../../../runtime/surface.ts'

/** A registry whose compiled check has a defect, which stands for any defect of Callsheet. */
function broken(call: Check, output: Check = () => true) {
  const facts = { name: 't', hasOutput: true, meta: [] }
  const text = '{"type":"object","properties":{"_tool":{"const":"t"},"_output":{}},"required":["_tool"]}'
  const load = async () => ({ checks: { call, output } })
  const { Tool, Activity } = registryOf<ToolApi, { register(name: string, run: () => unknown): void }>(
    [{ facts, text, load }],
    surface,
  )
  Activity.register('t', () => 1)
  return Tool
}

const defect: Check = () => {
  throw new TypeError('cannot read properties of undefined')
}

describe('CALL-12 an internal fault says so, and is never blamed on the Call', () => {
  test('while the Call is accepted', async () => {
    const Tool = broken(defect)
    for (const _time of ['cold', 'warm']) {
      const { error, status } = await Tool.run({ _tool: 't' })
      expect(status).toBe('failed')
      expect(error?.code).toBe('internal')
      expect(error?.message).toMatch(/defect of Callsheet: please report it/)
      expect(error?.cause).toBeInstanceOf(TypeError)
    }
  })

  test('a Call that cannot be read is its own fault', async () => {
    const Tool = broken(() => true)
    const call = Object.defineProperty({ _tool: 't' }, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    expect((await Tool.run(call)).error?.code).toBe('invalid_call')
  })

  test('a Message of the context that is none is the fault of whoever gave it', async () => {
    const read = tool('read', { n: { type: 'number' }, _output: {} })
    const { Tool, Activity } = createRegistry({ tools: { read } })
    Activity.register('read', () => 1)
    const call: Call = { _tool: 'read', n: '†state.n' }
    const { error } = await Tool.run(call, { context: [null as unknown as Message] })
    expect(error?.code).toBe('invalid_message')
    expect(error?.message).toContain('Message 0 of the context')
  })

  test.each(['confirm', 'when', 'backoff'])(
    'what the caller’s own %s throws is the caller’s',
    async (hook) => {
      const thrower = () => {
        throw new TypeError('mine')
      }
      const { Tool, Activity } = createRegistry({
        tools: { t: { effects: 'read', properties: { _output: {} } } },
      })
      Activity.register('t', thrower)
      const options = hook === 'confirm' ? { confirm: thrower } : { retry: { attempts: 2, [hook]: thrower } }
      const { error } = await Tool.run({ _tool: 't' }, options)
      expect(error).toMatchObject({ code: 'activity_failed' })
      expect(error?.message).toContain(hook)
    },
  )
})
