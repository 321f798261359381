import { createRegistry, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }

describe('CALL-1a a meta-field that its Tool does not declare is refused before any Reference is read', () => {
  const { Tool, Activity } = createRegistry({
    tools: { note: tool('note', { text, n: { type: 'number' } }) },
  })
  Activity.register('note', () => undefined)
  const context = [
    { type: 'state' as const, state: { secret: 'the other’s secret' }, _instance: 'other' },
    { type: 'state' as const, state: { secret: 'global' } },
  ]

  test.each([
    ['_instance', { _instance: 'other' }],
    ['_instance of nobody', { _instance: 'nobody' }],
    ['_outputPath', { _outputPath: '†state.x' }],
    ['_scopes', { _scopes: ['state'] }],
    ['_delegate', { _delegate: 'note' }],
    ['_module', { _module: 'note' }],
    ['_outputMethod', { _outputMethod: 'set' }],
  ])('%s', async (what, meta) => {
    const call = { _tool: 'note', text: 'x', n: '†state.secret', ...meta }
    const { error } = await Tool.run(call, { context })
    expect(error?.code).toBe('invalid_call')
    expect(JSON.stringify(error)).not.toContain('secret"')
    expect(error?.message).not.toContain('the other')
    const field = what === '_module' ? '_delegate' : what.split(' ')[0]
    expect(error?.problems?.map(({ path }) => path)).toEqual([`/${field}`])
  })

  test('all of them at once', async () => {
    const { error } = await Tool.run(
      { _tool: 'note', _instance: 'a', _scopes: [], text: 'x', n: 1 },
      { context },
    )
    expect(error?.problems?.map(({ path }) => path)).toEqual(['/_instance', '/_scopes'])
  })
})
