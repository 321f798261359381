import type { JsonSchema } from 'callsheet'
import { expect, test } from 'vitest'
import { lower } from '../../../../runtime/lower/lower.ts'
import { lowerCached } from '../../../../runtime/lower/lower-cached.ts'

const schemaOf = (name: string): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type: ['string', 'null'], pattern: '^a' }, n: { type: 'integer' } },
  required: [name],
  additionalProperties: false,
})

test('REQ-5 an equal schema is lowered once for each dialect and Tool, and as `lower` does it', () => {
  const first = lowerCached(schemaOf('once'), 'openai', { tool: 'a' })
  expect(lowerCached(schemaOf('once'), 'openai', { tool: 'a' }).lift).toBe(first.lift)
  for (const dialect of ['openai', 'gemini', 'anthropic'] as const) {
    for (const tool of ['a', 'b']) {
      for (const use of ['composed', 'native'] as const) {
        const { count, ...cached } = lowerCached(schemaOf('once'), dialect, { tool, use })
        expect(JSON.stringify(cached)).toBe(JSON.stringify(lower(schemaOf('once'), dialect, { tool, use })))
        expect(count().properties).toBe(2)
      }
    }
  }
})

test('REQ-5 a client that changes what it sends does not change what the next request sends', () => {
  const { schema } = lowerCached(schemaOf('changed'), 'openai')
  const before = JSON.stringify(schema)
  Object.assign(schema.properties?.n as object, { type: 'string' })
  delete schema.required
  expect(JSON.stringify(lowerCached(schemaOf('changed'), 'openai').schema)).toBe(before)
})

test('REQ-5 the least recently used results are dropped', () => {
  const large = (index: number): JsonSchema => ({
    ...schemaOf('kept'),
    description: `${index}`.padEnd(1_500_000),
  })
  const [first, second] = [lowerCached(large(1), 'openai'), lowerCached(large(2), 'openai')]
  expect(lowerCached(large(1), 'openai').lift).toBe(first.lift)
  lowerCached(large(3), 'openai')
  expect(lowerCached(large(1), 'openai').lift).toBe(first.lift)
  expect(lowerCached(large(2), 'openai').lift).not.toBe(second.lift)
})
