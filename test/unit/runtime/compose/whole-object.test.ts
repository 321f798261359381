import { compose, createRegistry, type JsonSchema, lower, lowerTools, type ToolSchema } from 'callsheet'
import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { dialectNames } from '../../../../runtime/dialects/dialect-name.ts'

const text = { type: 'string' }
const closedA = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false }
const closedB = { type: 'object', properties: { b: text }, required: ['b'], additionalProperties: false }

/** What looks at a Tool's parameters as a whole, and parameters that it takes. */
const wholes: Record<string, readonly [keywords: object, parameters: object]> = {
  'a closed branch': [{ anyOf: [closedA, closedB] }, { b: 'x' }],
  'a closed definition': [{ $ref: '#/$defs/A', $defs: { A: closedA } }, { a: 'x' }],
  'closed definitions as branches': [
    { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $defs: { A: closedA, B: closedB } },
    { b: 'x' },
  ],
  'a definition of a definition, whose name is taken': [
    {
      allOf: [{ $ref: '#/$defs/C' }],
      $defs: { A: closedA, A_Call: text, C: { allOf: [{ $ref: '#/$defs/A' }] } },
    },
    { a: 'x' },
  ],
  'unevaluatedProperties within': [
    { allOf: [{ properties: { a: text }, unevaluatedProperties: false }] },
    { a: 'x' },
  ],
  'names within': [{ allOf: [{ propertyNames: { pattern: '^[ab]$' } }] }, { a: 'x' }],
  'the fewest and the most': [{ minProperties: 1, maxProperties: 1 }, { a: 'x' }],
  'the fewest and the most within': [{ allOf: [{ minProperties: 1, maxProperties: 1 }] }, { a: 'x' }],
  'a pattern of every name': [{ patternProperties: { '^.*$': { enum: ['x'] } } }, { a: 'x' }],
  'a pattern within': [{ allOf: [{ patternProperties: { '[a-z]': { enum: ['x'] } } }] }, { a: 'x' }],
  'a condition': [
    { if: { properties: { a: text }, additionalProperties: false }, else: { required: ['b'] } },
    { a: 'x' },
  ],
  'a schema that depends': [
    { dependentSchemas: { a: { properties: { a: text, b: text }, additionalProperties: false } } },
    { a: 'x' },
  ],
}

function toolWith(keywords: object, meta: object): ToolSchema {
  return {
    type: 'object',
    properties: { _tool: { const: 't' }, a: text, b: text, _output: text, ...meta },
    required: ['_tool'],
    ...keywords,
  }
}

describe.each(Object.entries(wholes))('CALL-1a %s', (_, [keywords, parameters]) => {
  const fields = { _tool: 't', _reasoningForCall: 'why', _activity: 't' }
  const tool = toolWith(keywords, { _outputPath: text })

  test('judges the parameters of a Call, and no meta-field that its Tool declares', async () => {
    const { Tool, Activity } = createRegistry({
      tools: { t: { ...tool, required: ['_tool', '_outputPath'] } },
    })
    Activity.register('t', () => 'done')
    const codeOf = async (call: object): Promise<string> => {
      const { status, error } = await Tool.run({ _tool: 't', ...call })
      return error?.problems?.map(({ path }) => path).join() ?? status
    }
    const right = { ...parameters, _outputPath: '†state.x' }
    expect(await codeOf(right)).toBe('succeeded')
    expect(await codeOf(parameters)).toBe('/_outputPath')
    expect(await codeOf({ ...right, _outputPath: 5 })).toBe('/_outputPath')
    expect(await codeOf({ ...right, _instance: 'mine' })).toBe('/_instance')
    expect(await codeOf({ ...right, z: 1, y: 2, c: 'z' })).not.toBe('succeeded')
  })

  test('refuses no meta-field in a composed schema, and leaves none to be said in another way', () => {
    const composed = compose([tool], { activities: ['t'] })
    const takes = interpretCheck(composed)
    expect(takes({ calls: [{ ...fields, ...parameters }] })).toBe(true)
    expect(takes({ calls: [{ ...fields, ...parameters, _outputPath: '†state.x' }] })).toBe(true)
    expect(takes({ calls: [{ ...fields, ...parameters, z: 1, y: 2, c: 'z' }] })).toBe(false)
    for (const dialect of dialectNames) {
      const sent = JSON.stringify(lower(composed, dialect).schema)
      expect(sent, dialect).toContain('_outputPath')
      expect(sent, dialect).not.toContain('"_output"')
    }
  })

  test.each(['openai-chat', 'anthropic', 'gemini'] as const)(
    'REQ-5b as a native tool of %s it asks for nothing that its name says',
    (api) => {
      const { tools } = lowerTools([tool], api, { activities: ['t'] })
      const sent = JSON.stringify(tools)
      expect(sent).toContain('_outputPath')
      expect(sent).not.toContain('"_activity"')
      expect(sent).not.toContain('"_tool"')
    },
  )

  test('SERVE-2 over MCP it is what its parameters have to satisfy', () => {
    const { tools, callsFromAnswer } = lowerTools([tool], 'mcp')
    const schema = tools[0]?.inputSchema as JsonSchema
    expect(JSON.stringify(schema)).not.toMatch(/"_/)
    const given = schema.properties?.value === undefined ? parameters : { value: parameters }
    expect(interpretCheck(schema)(given)).toBe(true)
    expect(callsFromAnswer({ name: 't', arguments: given })).toEqual([
      { call: { _tool: 't', ...parameters } },
    ])
  })
})
