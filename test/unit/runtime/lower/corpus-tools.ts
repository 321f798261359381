import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { Random } from './random-schema.ts'
import type { RealTool } from './real-tools.ts'

const words = [
  'record',
  'report',
  'filter',
  'limit',
  'owner',
  'status',
  'amount',
  'labels',
  'address',
  'window',
]

/** Made-up tools of the usual mix: three to eight parameters, a third of them optional, and an output. */
export function corpusTools(count: number): RealTool[] {
  const random = new Random(7)
  return Array.from({ length: count }, (_, index) => {
    const name = `tool_${index}`
    const parameters = object(random, 3 + random.below(6), 2)
    return {
      name,
      activity: index % 3 === 0 ? '' : name,
      schema: {
        ...parameters,
        description: `Does number ${index}.`,
        properties: {
          _tool: { type: 'string', const: name },
          ...parameters.properties,
          _output: object(random, 2 + random.below(4), 1),
        },
        required: ['_tool', ...(parameters.required ?? [])],
      },
    }
  })
}

function object(random: Random, size: number, depth: number): JsonSchema {
  const properties = Object.fromEntries(
    words.slice(0, size).map((word) => [word, { ...field(random, depth), description: `The ${word}.` }]),
  )
  const required = Object.keys(properties).filter(() => random.chance(0.65))
  return { type: 'object', properties, required, additionalProperties: false }
}

function field(random: Random, depth: number): JsonSchema {
  const plain: JsonSchema[] = [
    { type: 'string' },
    { type: 'string', minLength: 1, maxLength: 64 },
    { type: 'string', format: 'date-time' },
    { type: 'string', pattern: '^[a-z]+$' },
    { type: 'integer', minimum: 0, maximum: 100 },
    { type: 'boolean' },
    { type: 'string', enum: ['low', 'high'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
  ]
  if (depth === 0 || random.chance(0.7)) return random.pick(plain)
  return random.chance(0.5)
    ? { type: 'array', items: object(random, 2, depth - 1), maxItems: 20 }
    : object(random, 3, depth - 1)
}
