import { createRegistry, isCallsheetError, type Message, tool } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { fuzz } from './campaign.ts'
import { changeLeaf } from './changed-leaf.ts'
import { hostileJson } from './hostile-json.ts'

const fine = tool('fine', { _output: { type: 'string' } })

/** A Tool with every part that something reads. */
const schema = {
  type: 'object',
  effects: 'read',
  description: 'Looks.',
  properties: {
    _tool: { const: 'odd' },
    a: { anyOf: [{ type: 'string', pattern: '^a$' }, { $ref: '#/$defs/A' }] },
    b: {
      type: 'array',
      items: { type: 'object', properties: { c: { enum: [1, 'x', null] } }, required: ['c'] },
      prefixItems: [{ format: 'date' }],
    },
    _output: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
    _outputPath: { type: 'string' },
    _scopes: { const: ['a'] },
    _activity: { const: 'odd' },
  },
  required: ['a'],
  $defs: { A: { type: 'object', properties: { n: { $ref: '#/$defs/A' } } } },
  allOf: [{ properties: { a: { minLength: 1 } } }],
  dependentSchemas: { a: { required: ['b'] } },
  additionalProperties: false,
  references: false,
  examples: [{ a: 'a' }],
}

// Copies, since a second change may be within the first.
const plain = fc
  .constantFrom<unknown>(null, 5, 'x', [], {}, true, false, [null], [[]], { type: 5 })
  .map((value) => structuredClone(value))
const changeTo = (to: fc.Arbitrary<unknown>) => fc.record({ place: fc.nat(), to })
const changes = fc.oneof(
  { weight: 3, arbitrary: fc.array(changeTo(plain), { minLength: 1, maxLength: 2 }) },
  // What refers to itself could not be changed again.
  { weight: 1, arbitrary: fc.tuple(changeTo(hostileJson)) },
)

fuzz(
  'TOOL-1, CALL-11b whatever is registered or comes with a context as a Tool: an error with a code that says where, and other Tools run and are offered',
  150,
  fc.record({
    changes,
    way: fc.constantFrom('registered', 'brought'),
    mode: fc.constantFrom('composed' as const, 'native' as const, 'auto' as const),
    provider: fc.constantFrom('openai' as const, 'anthropic' as const),
  }),
  async ({ changes, way, mode, provider }) => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
      const odd = structuredClone(schema)
      for (const { place, to } of changes) changeLeaf(odd, place, { value: to })
      const { Tool, Activity } = createRegistry({ tools: { fine } })
      Activity.register('fine', () => 'fine')
      Activity.register('elsewhere', () => ({ ok: true }))
      if (way === 'registered') {
        const failure = thrownBy(() => Tool.register('odd', odd))
        told(failure)
        if (failure) return
      }
      const context = way === 'brought' ? [{ type: 'tool', tool: odd } as Message] : []
      expect((await Tool.run({ _tool: 'fine' }, { context })).output).toBe('fine')
      told((await Tool.run({ _tool: 'odd', a: 'a', b: [] }, { context })).error)
      const client = scriptedModel([{ calls: [{ _tool: 'fine' }] }, { output: 'done' }])
      const options = {
        model: 'm',
        client,
        tools: Tool,
        context,
        mode,
        provider,
        output: { type: 'string' },
      } as const
      const failure = await Agent(options).then(
        () => undefined,
        (error: unknown) => error,
      )
      told(failure)
      // What a context brings ends no run.
      if (way === 'brought') expect(failure).toBeUndefined()
    } finally {
      quiet.mockRestore()
    }
  },
)

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

function told(error: unknown): void {
  if (error === undefined) return
  if (!isCallsheetError(error)) throw error
  expect(error.code).not.toBe('internal')
  expect(error.message).not.toMatch(/Cannot read|is not a function|not iterable|reading '/)
}
