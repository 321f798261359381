import { createRegistry, type ToolSchema } from 'callsheet'
import { Agent, askAgain, Idea, type SentRequest } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { recount } from '../unit/runtime/lower/recount.ts'
import { fuzz } from './campaign.ts'
import { withoutWarnings } from './without-warnings.ts'

withoutWarnings()

/** How many optional properties and unions a schema has, and how deep it nests. */
interface Size {
  readonly optional: number
  readonly unions: number
  readonly levels: number
}

const size = (optional: number, unions: number, levels: number): fc.Arbitrary<Size> =>
  fc.record({
    optional: fc.nat(optional),
    unions: fc.nat(unions),
    levels: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(levels) }),
  })

const given = fc.record({
  tools: fc.oneof(
    fc.array(size(9, 5, 12), { maxLength: 24 }),
    // So many that the strict ones take all there is.
    fc.array(size(4, 3, 0), { minLength: 12, maxLength: 24 }),
  ),
  goal: fc.oneof(size(7, 4, 0), size(30, 20, 12)),
  api: fc.constantFrom(
    'chat' as const,
    'responses' as const,
    ...Array.from({ length: 4 }, () => 'messages' as const),
  ),
  strict: fc.constantFrom(undefined, undefined, true, false),
})

function schemaOf({ optional, unions, levels }: Size) {
  const names = (prefix: string, length: number): string[] =>
    Array.from({ length }, (_, index) => `${prefix}${index}`)
  const either = { anyOf: [{ type: 'string' }, { type: 'number' }] }
  let nested: JsonSchema = { type: 'string' }
  for (let level = 0; level < levels; level++) {
    nested = { type: 'object', properties: { nested }, required: ['nested'], additionalProperties: false }
  }
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(names('p', optional).map((name) => [name, { type: 'string' }])),
      ...Object.fromEntries(names('u', unions).map((name) => [name, either])),
      nested,
    },
    required: [...names('u', unions), 'nested'],
    additionalProperties: false,
  } as const satisfies JsonSchema
}

function valueFor({ optional, unions, levels }: Size): object {
  let nested: unknown = 'x'
  for (let level = 0; level < levels; level++) nested = { nested }
  const unionsOf = Array.from({ length: unions }, (_, index) => [`u${index}`, index % 2 ? 'y' : index])
  return { ...Object.fromEntries(unionsOf), ...(optional > 0 && { p0: 'z' }), nested }
}

function toolOf(name: string, each: Size): ToolSchema {
  const { properties, required, ...schema } = schemaOf(each)
  const _tool = { type: 'string', const: name }
  return { ...schema, properties: { _tool, ...properties }, required: ['_tool', ...required] }
}

interface SentTool {
  readonly function?: SentTool
  readonly strict?: boolean
  readonly parameters?: JsonSchema
  readonly input_schema?: JsonSchema
}

interface SentFormat {
  readonly strict?: boolean
  readonly schema?: JsonSchema
}

/** The parts of a body with schemas, in the three APIs. */
interface SentBody {
  readonly tools?: readonly SentTool[]
  readonly response_format?: { readonly json_schema?: SentFormat }
  readonly text?: { readonly format?: SentFormat }
  readonly output_config?: { readonly format?: SentFormat }
}

/** Returns the schemas that a body asks its provider to enforce. Anthropic's response format has no `strict`. */
function enforcedBy({ body }: SentRequest): JsonSchema[] {
  const { tools = [], response_format, text, output_config } = body as SentBody
  const functions = tools.map((each) => each.function ?? each)
  const format = response_format?.json_schema ?? text?.format
  return [...functions, ...(format ? [format] : [])]
    .filter(({ strict }) => strict)
    .map((each: SentTool & SentFormat) => each.parameters ?? each.input_schema ?? each.schema)
    .concat(output_config?.format?.schema)
    .filter((schema) => schema !== undefined)
}

fuzz(
  'REQ-5a, REQ-5b no request exceeds what its provider documents, and each goal is reached',
  60,
  given,
  async ({ tools, goal, api, strict }) => {
    const registry = createRegistry({
      tools: Object.fromEntries(tools.map((each, index) => [`t${index}`, toolOf(`t${index}`, each)])),
    })
    for (const name of registry.Tool.names) registry.Activity.register(name, () => null)
    const sent: SentRequest[] = []
    const output = schemaOf(goal)
    const answers = [{ output: valueFor(goal) }]
    const options = { model: 'm', api, strict, onSent: (request: SentRequest) => sent.push(request) }
    const run = await Agent({ ...options, tools: registry.Tool, output, client: scriptedModel(answers) })
    expect(run.output).toEqual(valueFor(goal))
    const idea = new Idea({ schema: output, context: [] })
    const asked = await askAgain(idea, { ...options, client: scriptedModel(answers) })
    expect(asked.answer).toEqual(valueFor(goal))
    expect(sent).toHaveLength(2)
    for (const counts of sent.map((request) => enforcedBy(request).map(recount))) {
      const total = (measure: 'optionalParameters' | 'unions'): number =>
        counts.reduce((sum, each) => sum + each[measure], 0)
      if (api === 'messages') {
        expect(counts.length).toBeLessThanOrEqual(21)
        expect(total('optionalParameters')).toBeLessThanOrEqual(24)
        expect(total('unions')).toBeLessThanOrEqual(16)
      } else for (const { depth } of counts) expect(depth).toBeLessThanOrEqual(10)
    }
  },
)
