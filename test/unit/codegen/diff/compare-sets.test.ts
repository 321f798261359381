import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../../../codegen/diff/change.ts'
import { compareSets } from '../../../../codegen/diff/compare/compare-sets.ts'
import type { ContractSet, ContractTool } from '../../../../codegen/diff/contract.ts'
import type { ToolSchema } from '../../../../runtime/schema/schema.ts'

const tool = (said: Partial<ToolSchema> = {}, properties: object = {}): ContractTool => ({
  name: 'find',
  schema: {
    type: 'object',
    properties: { _tool: { const: 'find' }, text: { type: 'string' }, ...properties },
    required: ['_tool', 'text'],
    additionalProperties: false,
    ...said,
  },
  activity: undefined,
})
const set = (...tools: readonly ContractTool[]): ContractSet => ({ output: 'generated', tools })
const off = tool({ enabled: false })
const quiet = tool()
const speaking = tool({}, { _output: { type: 'string' } })

/** `forward`: a worker of today with an agent of yesterday; `backward`: the other way round. */
describe('DIFF-1, DIFF-3 what happens to a whole Tool, and in which order of deployment it is safe', () => {
  test.each<[string, ContractSet, ContractSet, title: string, forward: Verdict, backward: Verdict]>([
    ['a Tool comes', set(), set(quiet), 'Tool added.', 'safe', 'breaks'],
    ['a Tool comes that is off', set(), set(off), 'Tool added.', 'safe', 'safe'],
    ['a Tool goes', set(quiet), set(), 'Tool removed.', 'breaks', 'safe'],
    ['a Tool goes that was off', set(off), set(), 'Tool removed.', 'safe', 'safe'],
    ['a Tool is switched off', set(quiet), set(off), 'Tool switched off.', 'breaks', 'safe'],
    ['a Tool is switched on', set(off), set(quiet), 'Tool switched on.', 'safe', 'breaks'],
    ['an output comes', set(quiet), set(speaking), 'Output added.', 'safe', 'breaks'],
    ['an output goes', set(speaking), set(quiet), 'Output removed.', 'breaks', 'safe'],
  ])('%s', (_what, before, after, title, forward, backward) => {
    const wire = compareSets(before, after).changes.filter((change) => change.class === 'wire')
    expect(wire.map((change) => [change.title, change.verdicts])).toEqual([
      [title, { together: forward, 'worker-first': forward, 'agent-first': backward }],
    ])
  })

  test('the same Tools, in whatever order, are no change', () => {
    const other = { ...quiet, name: 'other' }
    expect(compareSets(set(quiet, other), set(other, quiet))).toMatchObject({ changes: [], unchanged: 2 })
  })
})
