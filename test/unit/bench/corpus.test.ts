import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { invalidValue, makeTools, randomSource, typeBoxSource, validValue } from '../../../bench/corpus.mjs'

describe('the tools that are measured', () => {
  const tools = makeTools(60)

  test('are the same for the same seed, fewer are the beginning of more, and names are unique', () => {
    expect(makeTools(60)).toEqual(tools)
    expect(makeTools(20)).toEqual(tools.slice(0, 20))
    expect(makeTools(20, 2)).not.toEqual(tools.slice(0, 20))
    const names = makeTools(1000).map(({ name }) => name.toLowerCase())
    expect(new Set(names).size).toBe(1000)
  })

  test('have values that Ajv takes, and values that it refuses', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
    formats.default(ajv)
    const random = randomSource(3)
    for (const { parameters, output } of tools) {
      for (const schema of [parameters, output]) {
        const isValid = ajv.compile(schema)
        expect(isValid(validValue(schema, random)), ajv.errorsText(isValid.errors)).toBe(true)
        expect(isValid(invalidValue(schema, random))).toBe(false)
      }
    }
  })

  test('mean the same as TypeBox source', () => {
    for (const { parameters } of tools) {
      const made: unknown = new Function('Type', `return ${typeBoxSource(parameters)}`)(Type)
      expect(JSON.parse(JSON.stringify(made))).toEqual(parameters)
    }
  })
})
