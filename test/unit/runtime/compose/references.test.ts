import { describe, expect, test } from 'vitest'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import { type ComposeOptions, compose } from '../../../../runtime/compose/compose.ts'
import { type DialectName, dialectNames } from '../../../../runtime/dialects/dialect-name.ts'
import { composedBranches } from '../../../../runtime/lower/composed-tools.ts'
import { lower } from '../../../../runtime/lower/lower.ts'
import { lowerComposed } from '../../../../runtime/lower/lower-composed.ts'
import { lowerTools } from '../../../../runtime/native/native-tools.ts'
import type { JsonSchema, Schema, ToolSchema } from '../../../../runtime/schema/schema.ts'

function toolOf(name: string, properties: Record<string, Schema>, more: object = {}): ToolSchema {
  const parameters = Object.keys(properties).filter((key) => !key.startsWith('_'))
  return {
    type: 'object',
    properties: { _tool: { type: 'string', const: name }, ...properties },
    required: ['_tool', ...parameters],
    additionalProperties: false,
    ...more,
  }
}

const path: JsonSchema = { type: 'string' }
const sums = toolOf('sum', { _outputPath: path, _output: { type: 'number' } })
const activities = 'same-name'

/** The parameters of a Tool that stands beside others, as composed. */
function composed(tool: ToolSchema, others: readonly ToolSchema[], options: ComposeOptions = {}): JsonSchema {
  const schema = compose([tool, ...others], { activities, ...options })
  return (composedBranches(schema)[0] as JsonSchema).properties as JsonSchema
}

describe('REF-5 what a composed parameter admits', () => {
  const kinds: [name: string, parameter: Schema, admitted: unknown][] = [
    ['a number', { type: 'number', minimum: 1 }, { type: ['number', 'string'], minimum: 1, pattern: '^†' }],
    ['a boolean', { type: 'boolean' }, { type: ['boolean', 'string'], pattern: '^†' }],
    ['any text', { type: 'string' }, { type: 'string' }],
    ['anything', {}, {}],
    ['text by a pattern', { type: 'string', pattern: '^a' }, { type: 'string', pattern: '^†|^a' }],
    [
      'an enumeration',
      { enum: ['red', 'blue'], description: 'Which.' },
      { description: 'Which.', anyOf: [{ enum: ['red', 'blue'] }, { $ref: '#/$defs/ref' }] },
    ],
    [
      'a nullable number',
      { anyOf: [{ type: 'number' }, { type: 'null' }] },
      { anyOf: [{ type: ['number', 'string'], pattern: '^†' }, { type: 'null' }] },
    ],
    [
      'a list',
      { type: 'array', items: { type: 'number' } },
      { anyOf: [{ type: 'array', items: { type: 'number' } }, { $ref: '#/$defs/ref' }] },
    ],
    ['a fixed value', { const: 4 }, { const: 4 }],
  ]
  test.each(kinds)('%s', (_name, parameter, admitted) => {
    const anything = toolOf('any', { _outputPath: path, _output: {} })
    expect(composed(toolOf('uses', { value: parameter }), [anything]).value).toEqual(admitted)
  })

  const number: JsonSchema = { type: 'number' }
  const fits: [name: string, parameter: Schema, output: Schema, isAdmitted: boolean][] = [
    ['a number for a number', number, { type: 'integer' }, true],
    ['text for a number', number, { type: 'string' }, false],
    ['a number inside of an output', number, { type: 'object', properties: { a: { items: number } } }, true],
    ['a word that is listed', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }, true],
    ['a word that is not', { enum: ['a', 'b'] }, { enum: ['c'] }, false],
    ['free text for a word', { enum: ['a', 'b'] }, { type: 'string' }, false],
    ['a list of numbers', { type: 'array', items: number }, { type: 'array', items: number }, true],
    ['a list of text', { type: 'array', items: number }, { type: 'array', items: { type: 'string' } }, false],
    [
      'an object with the names',
      { type: 'object', properties: { a: number }, required: ['a'] },
      { type: 'object', properties: { a: number, b: number } },
      true,
    ],
    [
      'an object with others',
      { type: 'object', properties: { a: number }, required: ['a'] },
      { type: 'object', properties: { b: number } },
      false,
    ],
  ]
  test.each(fits)('only where it could fit: %s', (_name, parameter, output, isAdmitted) => {
    const writer = toolOf('writer', { _outputPath: { const: '†state.x' }, _output: output })
    const { value } = composed(toolOf('uses', { value: parameter }), [writer])
    expect(JSON.stringify(value).includes('†') || JSON.stringify(value).includes('#/$defs/ref')).toBe(
      isAdmitted,
    )
  })

  test('nothing where nothing can be written, and nothing where it was switched off', () => {
    const uses = toolOf('uses', { value: number, other: { type: 'number', references: false } })
    const silent = toolOf('silent', { _output: number })
    const text = (...given: Parameters<typeof composed>): string => JSON.stringify(composed(...given))
    expect(text(uses, [silent])).not.toContain('†')
    expect(text(uses, [sums], { references: 'none' })).not.toContain('†')
    expect(text({ ...uses, references: false }, [sums])).not.toContain('†')
    const { value, other } = composed(uses, [sums])
    expect(value).toEqual({ type: ['number', 'string'], pattern: '^†' })
    expect(other).toEqual(number)
    const closed = { ...uses, properties: { ...uses.properties, _scopes: { const: [] } } }
    expect(JSON.stringify(composed(closed, [sums]).value)).not.toContain('†')
  })

  test('what the context holds and the project declares can be read as well; results of earlier turns do not count', () => {
    const uses = toolOf('uses', { value: number })
    const admitted = (options: ComposeOptions): boolean =>
      JSON.stringify(composed(uses, [], options).value).includes('†')
    expect(admitted({ context: [{ type: 'state', state: { sum: 4 } }] })).toBe(true)
    expect(admitted({ context: [{ type: 'state', state: { name: 'x' } }] })).toBe(false)
    expect(admitted({ context: [{ type: 'data', kind: 'result', data: 4 }] })).toBe(false)
    expect(admitted({ kinds: { input: { type: 'object', properties: { limit: number } } } })).toBe(true)
  })

  test('`deep` reaches nested values, through definitions too, and leaves outputs alone', () => {
    const uses = toolOf(
      'uses',
      { point: { $ref: '#/$defs/Point' }, _output: { $ref: '#/$defs/Point' } },
      {
        $defs: { Point: { type: 'object', properties: { x: number, next: { $ref: '#/$defs/Point' } } } },
      },
    )
    const schema = compose([uses, sums], { references: 'deep' })
    const isValid = interpretCheck(schema)
    const call = (point: unknown, more: object = {}): unknown => ({
      calls: [{ _tool: 'uses', _reasoningForCall: '', _activity: '', point, ...more }],
    })
    expect(isValid(call({ x: '†state.a', next: { x: '†state.b' } }))).toBe(true)
    expect(isValid(call({ x: 'text' }))).toBe(false)
    expect(isValid(call({ x: 1 }, { _output: { x: '†state.a' } }))).toBe(false)
  })

  test('`references` is a word of a Tool or a parameter: further inside it neither counts nor is sent, as in runs', () => {
    const inside: Schema = { type: 'object', properties: { x: { ...number, references: false } } }
    const { value } = composed(toolOf('uses', { value: inside }), [sums], { references: 'deep' })
    expect(JSON.stringify(value)).toContain('"x":{"type":["number","string"],"pattern":"^†"}')
    expect(JSON.stringify(value)).not.toContain('references')
  })

  test('a definition that is called as ours is keeps its name', () => {
    const uses = toolOf(
      'uses',
      { value: { $ref: '#/$defs/ref' }, list: { type: 'array', items: number } },
      {
        $defs: { ref: { type: 'string', format: 'email' } },
      },
    )
    const { $defs } = compose([uses, toolOf('any', { _outputPath: path, _output: {} })])
    expect($defs).toMatchObject({ ref: { format: 'email' }, ref_: { pattern: '^†' } })
  })
})

describe.each(dialectNames)('REF-5 %s', (dialect: DialectName) => {
  const writer = toolOf('writer', { _outputPath: path, _output: {} })
  const uses = toolOf('uses', {
    count: { type: 'integer', minimum: 1, maximum: 9 },
    on: { type: 'boolean' },
    kind: { enum: ['red', 'blue'] },
    code: { type: 'string', pattern: '^[a-z]{2}$' },
    list: { type: 'array', items: { type: 'string' } },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 },
    any: {},
  })
  const plain = {
    count: 2,
    on: true,
    kind: 'red',
    code: 'ab',
    list: ['a'],
    map: { a: 1 },
    pair: ['a', 1],
    any: [1],
  }
  const referring = Object.fromEntries(Object.keys(plain).map((key) => [key, `†state.${key}`]))

  test.each([
    ['values', plain],
    ['References', referring],
    ['some of both', { ...plain, count: '†state.count || †input.n', list: '†state.list' }],
  ])('a Call with %s is valid, goes there and comes back as it was', (_name, parameters) => {
    const declared = compose([uses, writer], { activities })
    const { schema, lift, toLowered } = lower(declared, dialect)
    const call = { _tool: 'uses', _reasoningForCall: 'why', _activity: 'uses', ...parameters }
    const solution = { calls: [call] }
    expect(interpretCheck(declared)(solution)).toBe(true)
    const form = toLowered(solution)
    const isSendable = interpretCheck(schema)
    expect(isSendable(form), JSON.stringify(form)).toBe(true)
    expect(lift(form)).toEqual(solution)
  })

  test('text that is no Reference is refused where no text goes', () => {
    const { schema, toLowered } = lower(compose([uses, writer], { activities }), dialect)
    const call = { _tool: 'uses', _reasoningForCall: 'why', _activity: 'uses', ...plain, count: 'many' }
    const form = toLowered({ calls: [call] })
    // Gemini knows no patterns: there the description says so, and the validator refuses it.
    expect(interpretCheck(schema)(form)).toBe(dialect === 'gemini')
  })
})

test('REF-5 what lists within lists hold is looked at once for each level, not twice as often for each', () => {
  let read = 0
  let nested: unknown = {
    get count() {
      read++
      return 4
    },
  }
  for (let level = 0; level < 18; level++) nested = [nested]
  const uses = toolOf('uses', { count: { type: 'integer' } })
  const admitted = JSON.stringify(composed(uses, [], { context: [{ type: 'state', state: nested }] }))
  expect(admitted).toContain('^†')
  expect(read).toBeLessThan(100)
})

test('REF-5 native tools admit References where their callers know of them', () => {
  const uses = toolOf('uses', { count: { type: 'integer' } })
  const openai = lowerTools([uses, sums], 'openai-chat', { activities })
  expect(JSON.stringify(openai.tools)).toContain('^†')
  const answer = {
    role: 'assistant',
    tool_calls: [
      { id: '1', function: { name: 'uses', arguments: '{"_reasoningForCall":"","count":"†state.a"}' } },
    ],
  }
  expect(openai.callsFromAnswer(answer)[0]?.call).toMatchObject({ _tool: 'uses', count: '†state.a' })
  expect(JSON.stringify(lowerTools([uses, sums], 'mcp', { activities }).tools)).not.toContain('^†')
})

test('REF-5 a dialect that has no room for References goes without, and its losses say so', () => {
  // Fits OpenAI's levels of nesting as it is, and not with a union around every value.
  let nested: Schema = { type: 'number' }
  for (let level = 0; level < 5; level++)
    nested = { type: 'object', properties: { a: nested }, required: ['a'] }
  const uses = toolOf('uses', { nested })
  const any = toolOf('any', { _outputPath: path, _output: {} })
  const { lowered, composed: made } = lowerComposed([uses, any], 'openai', { activities, references: 'deep' })
  expect(made.hasReferences).toBe(false)
  expect(lowered.losses).toContainEqual(expect.objectContaining({ keyword: 'references', action: 'dropped' }))
  expect(JSON.stringify(lowered.schema)).not.toContain('†')
})
