import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { createRegistry } from '../../../../runtime/create-registry.ts'
import { buildParameter } from '../../codegen/build/define.ts'
import { printType } from '../../codegen/print/print-type.ts'

const number = { type: 'number' }

describe('TOOL-1 records, at build time and at run time alike', () => {
  const cases: { given: string; schema: object; want: object; type: string }[] = [
    {
      given: 'Type.Record of strings',
      schema: Type.Record(Type.String(), Type.Number()),
      want: { type: 'object', additionalProperties: number },
      type: '{ [key: string]: number }',
    },
    {
      given: 'a closed one',
      schema: { type: 'object', patternProperties: { '': number }, additionalProperties: false },
      want: { type: 'object', additionalProperties: number },
      type: '{ [key: string]: number }',
    },
    {
      given: 'beside declared properties, which the pattern means as well',
      schema: { type: 'object', properties: { a: {} }, patternProperties: { '^.*$': number } },
      want: { type: 'object', properties: { a: {} }, patternProperties: { '^.*$': number } },
      type: '{\n  a?: unknown\n  [key: string]: unknown\n}',
    },
    {
      given: 'keys of a pattern',
      schema: { type: 'object', patternProperties: { '^x': number } },
      want: { type: 'object', patternProperties: { '^x': number } },
      type: '{ [key: string]: unknown }',
    },
  ]
  test.each(cases)('$given', ({ schema, want, type }) => {
    const built = buildParameter(schema).schema ?? {}
    expect(built).toEqual(want)
    expect(printType(built)).toBe(type)
    const { Tool } = createRegistry()
    Tool.register('t', { properties: { x: schema } })
    expect(Tool.get('t')?.properties?.x).toEqual(want)
  })
})
