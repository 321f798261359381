import {
  compose,
  dialectNames,
  isCallsheetError,
  type JsonSchema,
  lower,
  render,
  type Schema,
} from 'callsheet'
import fc from 'fast-check'
import { expect } from 'vitest'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { fuzz } from './campaign.ts'

/**
 * Ways for a definition to refer to others, each of them more than once. Whoever follows every reference where it stands takes
 * twice as long with each definition, and never ends where they refer to themselves.
 */
const shapes: readonly ((left: Schema, right: Schema) => JsonSchema)[] = [
  (left, right) => ({ allOf: [left, right] }),
  (left, right) => ({ anyOf: [left, right] }),
  (left, right) => ({ oneOf: [left, { type: 'object', required: ['z'], allOf: [right] }] }),
  (left, right) => ({ anyOf: [shape('x', left), shape('y', right)] }),
  (left, right) => ({ oneOf: [shape('x', left), shape('x', right)] }),
  (left, right) => ({ type: 'object', properties: { a: left, b: right } }),
  (left, right) => ({
    type: 'object',
    properties: { a: left, b: right },
    required: ['a', 'b'],
    additionalProperties: false,
  }),
  (left, right) => ({ type: 'array', items: left, allOf: [{ type: 'array', items: right }] }),
  (left, right) => ({ prefixItems: [left, right] }),
  (left, right) => ({
    allOf: [object(left), object(right), { type: 'object', properties: { a: left, b: right } }],
  }),
  (left, right) => ({ anyOf: [object(left), { type: 'object', properties: { b: right }, required: ['b'] }] }),
  (left, right) => ({
    anyOf: [object({ ...(left as JsonSchema), unevaluatedProperties: false }), object(right)],
  }),
  (left, right) => ({ type: 'object', properties: { q: left }, additionalProperties: right }),
  (left, right) => ({ ...(left as JsonSchema), properties: { a: right }, required: ['a'] }),
  (left, right) => ({ allOf: [left, right], unevaluatedProperties: false }),
  (left, right) => ({ allOf: [left, right], unevaluatedItems: false }),
  (left, right) => ({ dependentSchemas: { a: left, b: right } }),
  (left, right) => ({ not: { anyOf: [left, { not: right }] } }),
]

function shape(tag: string, member: Schema): JsonSchema {
  return { type: 'object', properties: { t: { const: tag }, a: member }, required: ['t', 'a'] }
}

function object(member: Schema): JsonSchema {
  return { type: 'object', properties: { a: member } }
}

const definition = fc.record({ shape: fc.nat(shapes.length - 1), left: fc.nat(4), right: fc.nat(4) })
const leaf = fc.constantFrom<Schema>(
  { type: 'string' },
  { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
)

/** Definitions that each refer to the next, to one after it, or back to an earlier one. */
const chained = fc
  .record({
    definitions: fc.array(definition, { minLength: 1, maxLength: 3 }),
    levels: fc.integer({ min: 2, max: 20 }),
    last: leaf,
    isRecursive: fc.boolean(),
  })
  .map(({ definitions, levels, last, isRecursive }) => {
    const $defs: Record<string, Schema> = { [`D${levels}`]: last }
    for (let level = 0; level < levels; level++) {
      const { shape: index, left, right } = definitions[level % definitions.length] as (typeof definitions)[0]
      // Most go one level on, some two, and where definitions may be recursive, some come back.
      const other = (step: number) => {
        const to = isRecursive && step === 4 ? level : Math.min(levels, level + (step === 3 ? 2 : 1))
        return { $ref: `#/$defs/D${to}` }
      }
      $defs[`D${level}`] = (shapes[index] as (typeof shapes)[0])(other(left), other(right))
    }
    return { $ref: '#/$defs/D0', $defs }
  })

/** Runs something that may refuse with a code and with nothing else. */
function tried(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    const isRefusal =
      isCallsheetError(error) || (error instanceof TypeError && error.message.startsWith('refused: '))
    if (!isRefusal) throw error
  }
}

fuzz(
  'CALL-11a definitions that share others: checked, composed, rendered and lowered in bounded time, or refused',
  40,
  chained,
  ({ $ref, $defs }) => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { _tool: { const: 'share' }, value: { $ref } },
      required: ['_tool', 'value'],
      $defs,
    }
    const before = process.cpuUsage()
    tried(() => interpretCheck({ $ref, $defs })({ a: { a: { b: [] } } }, '', []))
    tried(() => compiled({ $ref, $defs }))
    tried(() => compose([schema]))
    tried(() => render([schema], 'typescript'))
    for (const dialect of dialectNames) tried(() => lower(schema, dialect))
    const { user, system } = process.cpuUsage(before)
    // Some tens of milliseconds are usual. What doubles with each level would take hours.
    expect((user + system) / 1e6).toBeLessThan(15)
  },
)
