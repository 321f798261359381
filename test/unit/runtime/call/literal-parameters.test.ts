import { createRegistry, tool } from 'callsheet'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }
const context = [{ type: 'state' as const, state: { name: 'Ada' } }]

describe('REF-5 `references: false` keeps text as text', () => {
  const { Tool, Activity } = createRegistry({
    tools: {
      say: tool('say', { a: text, b: { ...text, references: false }, _output: {} }),
      quote: tool(
        'quote',
        { a: text, list: { type: 'array', items: text }, _output: {} },
        { references: false },
      ),
      write: tool('write', { _outputPath: text, _output: text }),
    },
  })
  Activity.register('say', ({ a, b }) => [a, b])
  Activity.register('quote', ({ a, list }) => [a, list])
  Activity.register('write', () => 'late')

  test('of a parameter', async () => {
    const { output } = await Tool.run({ _tool: 'say', a: '†state.name', b: '†state.name' }, { context })
    expect(output).toEqual(['Ada', '†state.name'])
  })

  test('of a Tool, at any depth, and nothing is taken off', async () => {
    const call = { _tool: 'quote', a: '††state.none', list: ['†state.name', '†__proto__.x'] }
    expect((await Tool.run(call, { context })).output).toEqual([
      '††state.none',
      ['†state.name', '†__proto__.x'],
    ])
  })

  test('a plan waits for no such text', async () => {
    const calls = [
      { _tool: 'quote', a: '†state.late', list: [] },
      { _tool: 'say', a: '†state.late', b: '†state.never' },
      { _tool: 'write', _outputPath: '†state.late' },
    ]
    const { outcomes } = await Tool.plan(calls)
    expect(outcomes.map((outcome) => outcome?.output)).toEqual([
      ['†state.late', []],
      ['late', '†state.never'],
      'late',
    ])
  })
})
