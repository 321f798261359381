import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../../../codegen/diff/change.ts'
import { judgedGaps } from '../../../../codegen/diff/compare/gaps.ts'
import { worst } from '../../../../codegen/diff/compare/make-change.ts'
import { wireChanges } from '../../../../codegen/diff/compare/wire-changes.ts'
import type { ContractTool } from '../../../../codegen/diff/contract.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { someOf } from '../../../runs.ts'
import { keywordChanges } from './keyword-changes.ts'

const definitions: Record<string, Schema> = {
  Tree: {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
    required: ['name'],
    additionalProperties: false,
  },
}

/** Where a schema can stand: the change means the same everywhere. */
const places: readonly [
  where: string,
  put: (schema: Schema) => { schema: Schema; more?: Record<string, Schema> },
][] = [
  ['itself', (schema) => ({ schema })],
  [
    'in an optional member',
    (schema) => ({ schema: { type: 'object', properties: { in: schema }, additionalProperties: false } }),
  ],
  ['in items', (schema) => ({ schema: { type: 'array', items: schema } })],
  [
    'in a tagged branch',
    (schema) => ({
      schema: {
        anyOf: ['one', 'two'].map((kind) => ({
          type: 'object',
          properties: { kind: { const: kind }, value: kind === 'one' ? schema : { type: 'null' } },
          required: ['kind', 'value'],
          additionalProperties: false,
        })),
      },
    }),
  ],
  ['behind a reference', (schema) => ({ schema: { $ref: '#/$defs/Behind' }, more: { Behind: schema } })],
]

describe('DIFF-1, DIFF-2: every keyword added, removed, tightened and loosened', () => {
  test('the table is long enough to be one', () => {
    expect(keywordChanges.length).toBeGreaterThanOrEqual(120)
  })

  describe.each(places)('%s', (where, put) => {
    test.each(where === 'itself' ? keywordChanges : someOf(keywordChanges))(
      '%s',
      (_what, before, after, narrows, widens) => {
        const [old, now] = [put(before), put(after)].map(({ schema, more }) => ({
          schema,
          definitions: { ...definitions, ...more },
        })) as [Side, Side]
        expect({ narrows: judge(old, now), widens: judge(now, old) }).toEqual({ narrows, widens })
      },
    )
  })
})

describe('DIFF-1: parameters and outputs are opposite directions', () => {
  test.each(keywordChanges)('%s', (_what, before, after, narrows, widens) => {
    const inParameter = ordersOf(toolWith({ p: before }), toolWith({ p: after }))
    expect(inParameter).toEqual({ together: narrows, 'worker-first': narrows, 'agent-first': widens })
    const inOutput = ordersOf(toolWith({ _output: before }), toolWith({ _output: after }))
    expect(inOutput).toEqual({ together: widens, 'worker-first': widens, 'agent-first': narrows })
  })
})

interface Side {
  readonly schema: Schema
  readonly definitions: Record<string, Schema>
}

/** The verdict, after Ajv has judged each example. */
function judge(first: Side, second: Side): Verdict {
  const gaps = judgedGaps(first, second)
  for (const { example } of gaps) {
    if (!example) continue
    expect(ajvAccepts(first, example.value), JSON.stringify(example)).toBe(true)
    expect(ajvAccepts(second, example.value), JSON.stringify(example)).toBe(false)
  }
  return worst(gaps.map(({ verdict }) => verdict))
}

// One for all: what it takes to make one is ten times what it takes to judge with it.
const ajv = new Ajv2020({ strict: false, logger: false })
addFormats.default(ajv)

function ajvAccepts({ schema, definitions: $defs }: Side, value: unknown): boolean {
  return ajv.validate(
    typeof modern(schema) === 'boolean' ? schema : { ...(modern(schema) as JsonSchema), $defs },
    value,
  )
}

/** Ajv 2020 has no tuples of draft-07. */
function modern(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema).replace(
      '"items":[{"type":"string"}],"additionalItems":false',
      '"prefixItems":[{"type":"string"}],"items":false',
    ),
  )
}

function toolWith(properties: Record<string, Schema>): ContractTool {
  return {
    name: 'tool',
    activity: 'tool',
    schema: {
      type: 'object',
      properties: { _tool: { type: 'string', const: 'tool' }, ...properties },
      required: ['_tool', ...Object.keys(properties).filter((name) => name !== '_output')],
      additionalProperties: false,
      $defs: definitions,
    },
  }
}

function ordersOf(before: ContractTool, after: ContractTool): Record<string, Verdict> {
  const changes = wireChanges(before, after)
  return Object.fromEntries(
    (['together', 'worker-first', 'agent-first'] as const).map((order) => [
      order,
      worst(changes.map(({ verdicts }) => verdicts[order])),
    ]),
  )
}
