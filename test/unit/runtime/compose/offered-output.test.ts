import { createRegistry } from 'callsheet'
import { expect, test } from 'vitest'
import { compose } from '../../../../runtime/compose/compose.ts'
import { composedBranches } from '../../../../runtime/lower/composed-tools.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'

interface Case {
  readonly fields?: Record<string, Schema>
  readonly required?: readonly string[]
  /** What a Call of the Tool needs besides. */
  readonly call?: object
  readonly isOffered: boolean
}

const named = { type: 'string', enum: ['summariser', 'anonymous'] }

/** By name, which is the Tool's: `explicit` has an Activity. */
const cases: Record<string, Case> = {
  latent: { isOffered: true },
  explicit: { isOffered: false },
  fixedIdea: { fields: { _delegate: { const: 'summariser' } }, isOffered: false },
  fixedRoom: { fields: { _delegate: { type: 'string', enum: ['anonymous'] } }, isOffered: false },
  olderName: { fields: { _module: { const: 'summariser' } }, isOffered: false },
  always: {
    fields: { _delegate: named },
    required: ['_delegate'],
    call: { _delegate: 'summariser' },
    isOffered: false,
  },
  sometimes: { fields: { _delegate: named }, isOffered: true },
}

const output: JsonSchema = { type: 'string' }
const { Tool, Activity } = createRegistry({
  tools: Object.fromEntries(
    Object.entries(cases).map(([name, { fields = {}, required = [] }]) => [
      name,
      {
        type: 'object',
        properties: { _tool: { const: name }, ...fields, _output: output },
        required: ['_tool', ...required],
      },
    ]),
  ),
  ideas: { summariser: { schema: output, context: [] } },
  model: { answer: async () => 'of the run' },
})
Activity.register('explicit', () => 'of the run')
Tool.fromIdea('ofIdea', { schema: output, context: [] })

function offersOutput(name: string): boolean {
  const [branch] = composedBranches(compose(Tool, { only: [name] })) as JsonSchema[]
  return Object.hasOwn(branch?.properties ?? {}, '_output')
}

test.each(Object.entries({ ...cases, ofIdea: { isOffered: false } as Case }))(
  'REQ-2 %s: `_output` is offered where what the model fills in counts, and nowhere else',
  async (name, { isOffered, call }) => {
    expect(offersOutput(name)).toBe(isOffered)
    const said = await Tool({ _tool: name, ...call, _output: 'of the model' })
    expect(said).toBe(isOffered ? 'of the model' : 'of the run')
  },
)

test('REQ-2 who compares predictions keeps it everywhere', () => {
  const branches = composedBranches(compose(Tool, { explicitOutput: 'keep' })) as JsonSchema[]
  expect(branches.filter(({ properties = {} }) => !Object.hasOwn(properties, '_output'))).toEqual([])
})
