import { describe, expect, test } from 'vitest'
import type { Change, ChangeClass, Verdict } from '../../../../codegen/diff/change.ts'
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

/** The changes of one class, as what they say and what they are called. */
function changesOf(kind: ChangeClass, before: ContractTool, after: ContractTool): Change[] {
  return compareSets(set(before), set(after)).changes.filter((change) => change.class === kind)
}

describe('DIFF-1 a type is what a compiler reads of it', () => {
  const shared = (values: readonly string[], said: object = {}): Partial<ToolSchema> => ({
    $defs: {
      Place: { type: 'object', properties: { sky: { $ref: '#/$defs/Sky' } }, required: ['sky'], ...said },
      Sky: { enum: [...values] },
    },
  })
  const reading = { _output: { $ref: '#/$defs/Place' } }

  test('a definition that another definition uses counts, in the half that leads to it', () => {
    const types = changesOf(
      'type',
      tool(shared(['clear', 'rain']), reading),
      tool(shared(['clear']), reading),
    )
    expect(types.map(({ path }) => path)).toEqual(['/_output'])
  })

  test.each<[string, object, object]>([
    ['a format', { text: { type: 'string' } }, { text: { type: 'string', format: 'email' } }],
    ['a bound', { limit: { type: 'number', maximum: 5 } }, { limit: { type: 'number', maximum: 4 } }],
    ['the order of values', { unit: { enum: ['C', 'F'] } }, { unit: { enum: ['F', 'C'] } }],
    [
      'the order of alternatives',
      { unit: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      { unit: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
    ],
  ])('%s is none', (_what, was, is) => {
    expect(changesOf('type', tool({}, was), tool({}, is))).toEqual([])
  })
})

describe('DIFF-4 an id names one change', () => {
  const values = Array.from({ length: 30 }, (_, index) => `value${index}`)
  const without = (...gone: readonly number[]): readonly string[] =>
    values.filter((_value, index) => !gone.includes(index))
  const first = [0, 1, 2, 3, 4]

  test.each<[string, (values: readonly string[]) => ContractTool]>([
    ['where words are cut', (listed) => tool({}, { unit: { enum: [...listed] } })],
    [
      'through definitions',
      (listed) => tool({ $defs: { Unit: { enum: [...listed] } } }, { unit: { $ref: '#/$defs/Unit' } }),
    ],
  ])('%s', (_what, made) => {
    const idsOf = (now: readonly string[]): string[] =>
      compareSets(set(made(values)), set(made(now))).changes.map(({ id }) => id)
    const [one, other] = [idsOf(without(...first, 5)), idsOf(without(...first, 9))]
    expect(one.length).toBeGreaterThan(1)
    expect(one.filter((id) => other.includes(id))).toEqual([])
    expect(idsOf(without(...first, 5))).toEqual(one)
  })
})

describe('DIFF-1 what stands on a Tool for policies is told to no model', () => {
  test.each<[string, Partial<ToolSchema>]>([
    ['effects', { effects: 'read' }],
    ['whether it is on', { enabled: false }],
    ['the parser that it has anyway', { parser: 'json' }],
  ])('%s', (_what, said) => {
    const told = compareSets(set(tool()), set(tool(said))).changes.filter(({ title }) =>
      /written differently|read as/.test(title),
    )
    expect(told).toEqual([])
  })
})
