import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { emitTypes } from '../../../../codegen/emit/types.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { type Compiler, compile, fixture } from './compile.ts'
import { modelOf, sampleModel, settings } from './sample-model.ts'

const types = emitTypes(sampleModel, settings)

describe('GEN-1 types.ts', () => {
  it('is as golden/types.ts shows', async () => {
    expect(types.path).toBe('types.ts')
    await expect(types.text).toMatchFileSnapshot('golden/types.ts')
  })

  it('GEN-2 comes out the same whatever the order of the Tools', () => {
    const turned = { ...sampleModel, tools: sampleModel.tools.toReversed() }
    expect(emitTypes(turned, settings)).toEqual(types)
  })

  it('GEN-2 a change of one Tool changes no line of another', () => {
    const before = { a: { properties: { x: { type: 'string' } } }, b: {} }
    const after = { ...before, b: { properties: { y: { type: 'number' } } } }
    const [old, changed] = [before, after].map((tools) =>
      emitTypes(modelOf(tools), settings).text.split('\n'),
    )
    const gone = old?.filter((line) => !changed?.includes(line)) ?? []
    expect(gone.join('\n')).not.toMatch(/\bA[A-Z]/)
  })
})

describe('GEN-8 generated types and their use compile', () => {
  const use = readFileSync(fixture('use.ts'), 'utf8')
  // Browser types in one of them: definitions may have their names. Older compilers take seconds to read those.
  const ways: [compiler: Compiler, resolution: 'nodenext' | 'bundler', lib: string[]][] = [
    ['typescript', 'nodenext', ['es2023', 'dom']],
    ['typescript', 'bundler', ['es2023']],
    ['typescript-6.0', 'bundler', ['es2023']],
    ['typescript-5.9', 'nodenext', ['es2023']],
  ]
  it.each(ways)('%s, %s, %j', (compiler, resolution, lib) => {
    const { errors } = compile(
      { 'types.ts': types.text, 'use.ts': use },
      { compiler, resolution, options: { lib } },
    )
    expect(errors).toEqual([])
  })

  it('without exactOptionalPropertyTypes, and with no Tool at all', () => {
    const options = { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false }
    const empty = emitTypes(modelOf({}), settings).text
    expect(compile({ 'types.ts': types.text, 'empty.ts': empty }, { options }).errors).toEqual([])
  })
})

/** Compiles the types of a parameter, declared in its Tool and as a shared definition. */
function errorsOfParameter(it: JsonSchema): readonly unknown[] {
  const model = modelOf(
    { direct: { properties: { it } }, shared: { properties: { it: { $ref: '#/$defs/Shared' } } } },
    { Shared: it },
  )
  return compile({ 'types.ts': emitTypes(model, settings).text }).errors
}

it('GEN-8 an intersection of optional members that a Reference may stand for compiles', () => {
  const tagged = (k: string, a: Schema, required: string[]): Schema => ({
    type: 'object',
    properties: { k: { const: k }, a },
    required,
  })
  const it: JsonSchema = {
    allOf: [
      {
        oneOf: [
          tagged('a', { type: 'integer' }, ['k']),
          tagged('b', { type: 'object', properties: { n: { type: 'null' } } }, ['k']),
        ],
      },
      { type: 'object', properties: { a: true }, required: ['a'] },
    ],
  }
  expect(errorsOfParameter(it)).toEqual([])
})

it('GEN-8 a parameter of one of 2,000 kinds of object, which TypeScript does not compare with each other, compiles', () => {
  const it: JsonSchema = {
    anyOf: Array.from({ length: 2000 }, (_, index) => ({
      type: 'object',
      properties: { kind: { const: `k${index}` }, value: { type: 'string' } },
      required: ['kind'],
    })),
  }
  expect(errorsOfParameter(it)).toEqual([])
}, 60_000)
