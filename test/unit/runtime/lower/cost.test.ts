import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { makeTools, toolSchema } from '../../../../bench/corpus.mjs'
import { findTokenCounter } from '../../../../codegen/explain/token-counter.ts'
import { compose } from '../../../../runtime/compose/compose.ts'
import { composedBranches } from '../../../../runtime/lower/composed-tools.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import { lowerTools } from '../../../../runtime/native/native-tools.ts'
import type { JsonSchema } from '../../../../runtime/schema/schema.ts'
import { realTools } from './real-tools.ts'

const added = ['_reasoningForCall', '_activity']

/** The composed schema without the fields that the system adds; `_tool` stays, as a function has a name. */
function withoutMetaFields(schema: JsonSchema): JsonSchema {
  const bare = structuredClone(schema)
  for (const branch of composedBranches(bare) as JsonSchema[]) {
    for (const name of added) delete branch.properties?.[name]
    branch.required = (branch.required ?? []).filter((name) => !added.includes(name))
  }
  return bare
}

describe('what 124 tools of an MCP server cost in one composed openai schema', async () => {
  // The counter of `callsheet explain`, over the project's own gpt-tokenizer.
  const count = await findTokenCounter(fileURLToPath(new URL('../../../..', import.meta.url)))
  const composed = lower(compose(realTools()), 'openai').schema
  const functions = lowerTools(realTools(), 'openai-responses', { metaFields: 'omit' })
  const tokensOf = (value: unknown): number => {
    if (!count) throw new Error('gpt-tokenizer is not installed. Run: npm ci')
    return count(JSON.stringify(value))
  }

  test('the counter counts o200k tokens', () => {
    // In cl100k, the encoding before, the same text is 10 tokens.
    expect(count?.('привет мир, как дела')).toBe(6)
  })

  test('without the meta-fields at most 1.02 of the tokens of the same Tools as strict functions', () => {
    expect(functions.strict).toHaveLength(realTools().length)
    const ratio = tokensOf(withoutMetaFields(composed)) / tokensOf(functions.tools)
    expect(ratio).toBeLessThanOrEqual(1.02)
    // Far below, something would be missing from the schema.
    expect(ratio).toBeGreaterThan(0.95)
  })

  test('what the meta-fields add is a few tokens for each Tool', () => {
    const surcharge = tokensOf(composed) - tokensOf(withoutMetaFields(composed))
    console.log(
      `o200k tokens of 124 tools: ${tokensOf(functions.tools)} as strict functions, ` +
        `${tokensOf(withoutMetaFields(composed))} composed, ${tokensOf(composed)} with meta-fields ` +
        `(${(surcharge / realTools().length).toFixed(1)} more for each Tool)`,
    )
    expect(surcharge / realTools().length).toBeLessThan(45)
  })
})

describe('REF-5 what References cost', async () => {
  const count = await findTokenCounter(fileURLToPath(new URL('../../../..', import.meta.url)))
  const tools = makeTools(100).map((made): JsonSchema => {
    const schema: JsonSchema = toolSchema(made)
    const { _outputPath, ...properties } = schema.properties ?? {}
    return { ...schema, properties }
  })
  const writing = tools.map((schema) => ({
    ...schema,
    properties: { _output: {}, ...schema.properties, _outputPath: { type: 'string' } },
  }))

  // XGrammar and llama.cpp hold the answer to the schema, and show a model none of it.
  test.each(['json-schema', 'openai', 'mistral', 'anthropic', 'gemini'] as const)(
    '%s: nothing where nothing can be written, and at most 10 % where every Tool writes',
    (dialect) => {
      const tokens = (given: typeof tools, references: 'auto' | 'none'): number =>
        count?.(
          JSON.stringify(lower(compose(given, { references, activities: 'same-name' }), dialect).schema),
        ) ?? Number.NaN
      expect(tokens(tools, 'auto')).toBe(tokens(tools, 'none'))
      const surcharge = tokens(writing, 'auto') / tokens(writing, 'none') - 1
      expect(surcharge).toBeGreaterThan(0.02)
      expect(surcharge).toBeLessThanOrEqual(0.1)
    },
  )
})
