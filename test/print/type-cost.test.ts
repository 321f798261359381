import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { emitApi } from '../../codegen/emit/api.ts'
import { emitTypes } from '../../codegen/emit/types.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import { compile } from './compile.ts'
import { modelOf, settings } from './sample-model.ts'

const [few, many] = [10, 60]

/** The runtime's own types; what they cost is the same for few Tools and for many, and falls out of the difference. */
const options = {
  paths: { 'callsheet/wiring': [fileURLToPath(new URL('../../runtime/wiring.ts', import.meta.url))] },
  lib: ['es2023', 'dom'],
  allowImportingTsExtensions: true,
}

function schemas(count: number): Record<string, ToolSchema> {
  const tools: Record<string, ToolSchema> = {}
  for (let at = 0; at < count; at++) {
    tools[`tool${at}`] = {
      properties: {
        customerId: { type: 'string' },
        amount: { type: 'number' },
        mode: { enum: ['fast', 'slow'] },
        _output: {
          type: 'object',
          properties: { [`total${at}`]: { type: 'number' } },
          required: [`total${at}`],
        },
      },
      required: ['customerId', 'amount'],
      additionalProperties: false,
    }
  }
  return tools
}

/** Instantiations that each further Tool costs when it is used once. */
function costPerTool(use: (at: number) => string): number {
  const [least, most] = [few, many].map((count) => {
    const model = modelOf(schemas(count))
    const lines = Array.from({ length: count }, (_, at) => use(at))
    const head = [
      "import type { ActivityApi, ToolApi } from './api.js'",
      "import type { CallBuilders } from './types.js'",
      'declare const Tool: ToolApi, Activity: ActivityApi, calls: CallBuilders',
      'export { Tool, Activity, calls }',
    ]
    const { errors, output } = compile(
      {
        'types.ts': emitTypes(model, settings).text,
        'api.ts': emitApi(model, settings).text,
        'use.ts': [...head, ...lines].join('\n'),
      },
      { options },
    )
    expect(errors).toEqual([])
    return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1])
  })
  return ((most ?? Number.NaN) - (least ?? Number.NaN)) / (many - few)
}

const declared = costPerTool(() => '')

describe('TYPE-5 what one more Tool costs the compiler, in instantiations', () => {
  it('declared: most of it is its schema object as a Standard Schema', () => {
    expect(declared).toBeLessThanOrEqual(32)
  })

  const budgets: [what: string, use: (at: number) => string, budget: number][] = [
    [
      'built and run',
      (at) => `export const r${at}: object = await Tool(calls.tool${at}({ customerId: 'x', amount: 1 }))`,
      12,
    ],
    [
      'run as a literal',
      (at) => `export const r${at}: object = await Tool({ _tool: 'tool${at}', customerId: 'x', amount: 1 })`,
      70,
    ],
    [
      'implemented',
      (at) => `Activity.register('tool${at}', async (call) => ({ total${at}: call.amount }))`,
      40,
    ],
  ]
  it.each(budgets)('%s', (_, use, budget) => {
    const cost = costPerTool(use) - declared
    expect(cost).toBeGreaterThan(0)
    expect(cost).toBeLessThanOrEqual(budget)
  })
})
