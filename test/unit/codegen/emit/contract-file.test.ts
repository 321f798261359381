import { describe, expect, test } from 'vitest'
import { emitContract } from '../../../../codegen/emit/contract-file.ts'
import type { ToolModel } from '../../../../codegen/model.ts'
import { contract, tools } from '../../../../generated/index.ts'
import type { JsonSchema, ToolSchema } from '../../../../runtime/schema/schema.ts'
import { contractDigits, wireText } from '../../../../runtime/schema/wire-form.ts'

const at = { file: 'definitions/x.ts', line: 1, column: 1 }

function textOf(schemas: Record<string, ToolSchema>, definitions: Record<string, JsonSchema> = {}): string {
  const models = Object.entries(schemas).map(
    ([name, schema]): ToolModel => ({
      name,
      identifier: name,
      fileName: name,
      schema,
      output: undefined,
      at,
    }),
  )
  return emitContract({ tools: models, definitions }).text
}

const schema: ToolSchema = {
  type: 'object',
  description: 'Finds.',
  properties: {
    _tool: { type: 'string', const: 'find' },
    q: { type: 'string', description: 'What.' },
    at: { $ref: '#/$defs/Place' },
  },
  required: ['_tool', 'q'],
}
const definitions: Record<string, JsonSchema> = { Place: { type: 'string', title: 'Place' } }
const text = textOf({ find: schema }, definitions)

describe('the contract of generated code (SERVE-4, DIFF-6)', () => {
  test('is a hash per Tool and of the whole, the same on every machine', () => {
    expect(text).toMatch(
      /hash: '344d455f9def8716',\n {2}tools: \{\n {4}'find': '[0-9a-f]{16}',\n {2}\},\n\} as const/,
    )
  })

  test.each<[string, ToolSchema, Record<string, JsonSchema>]>([
    ['another description', { ...schema, description: 'Seeks.' }, definitions],
    ['effects, which one side goes by', { ...schema, effects: 'read' }, definitions],
    ['required names in another order', { ...schema, required: ['q', '_tool'] }, definitions],
    ['another title of a shared definition', schema, { Place: { type: 'string' } }],
    ['a definition that is not reached', schema, { ...definitions, Other: { type: 'null' } }],
  ])('stays with %s', (_what, changed, defined) => {
    expect(textOf({ find: changed }, defined)).toBe(text)
  })

  test.each<[string, ToolSchema, Record<string, JsonSchema>]>([
    ['another parameter', { ...schema, properties: { ...schema.properties, n: {} } }, definitions],
    ['another output', { ...schema, properties: { ...schema.properties, _output: {} } }, definitions],
    ['a parameter that is called like wording', withMember('title', { type: 'string' }), definitions],
    ['a shared definition that is', schema, { Place: { type: 'integer' } }],
  ])('changes with %s', (_what, changed, defined) => {
    expect(textOf({ find: changed }, defined)).not.toBe(text)
  })

  test('can be computed at run time, from the schemas that generated code holds', async () => {
    for (const [name, tool] of Object.entries(tools)) {
      const bytes = new TextEncoder().encode(wireText(JSON.parse(JSON.stringify(tool))))
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
      expect((contract.tools as Record<string, string>)[name]).toBe(digest.slice(0, contractDigits))
    }
  })
})

function withMember(name: string, member: JsonSchema): ToolSchema {
  return { ...schema, properties: { ...schema.properties, [name]: member } }
}
