import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import type { LoadedDefinition } from '../../../../codegen/model.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { define } from './define.ts'

const address = Type.Object({ street: Type.String() })
const point = Type.Object({ x: Type.Number() })
const other = Type.Object({ y: Type.Number() })
const tree = Type.Cyclic({ Node: Type.Object({ next: Type.Array(Type.Ref('Node')) }) }, 'Node')
const definitions: LoadedDefinition[] = [
  define('get_user', tool('get_user', { address, tree })),
  define('getUser', tool('getUser', { address: Type.With(address, { title: 'T' }), point })),
  define('a', tool('a', { place: point, spot: other })),
  define('b', tool('b', { place: other, tree, id: Type.Ref('Shared') })),
  define(
    'c',
    tool('c', {
      mine: Type.Unsafe({ $defs: { Node: { type: 'string' } }, $ref: '#/properties/mine/$defs/Node' }),
    }),
  ),
  define('Shared', Type.Object({}, { $id: 'Shared' }), 'shared'),
  define('Address', address, 'shared'),
]

const text = (given: readonly LoadedDefinition[]) => JSON.stringify(buildModel(given))

test('GEN-2 the order of definitions changes nothing', () => {
  const want = text(definitions)
  fc.assert(
    fc.property(fc.shuffledSubarray(definitions, { minLength: definitions.length }), (shuffled) => {
      expect(text(shuffled)).toBe(want)
    }),
    { numRuns: 30 },
  )
})

test('GEN-2 Tools that have nothing to do with each other do not change each other', () => {
  const of = (name: string, given: readonly LoadedDefinition[]) => {
    const { model } = buildModel(given)
    return JSON.stringify(model.tools.find((candidate) => candidate.name === name)?.schema)
  }
  const more = ['aa', 'zz', 'weather'].map((name) =>
    define(
      name,
      tool(name, { node: { $defs: { Node: { type: 'null' } }, $ref: '#/properties/node/$defs/Node' } }),
    ),
  )
  for (const { name, kind } of definitions) {
    if (kind === 'tool') expect(of(name, [...definitions, ...more])).toBe(of(name, definitions))
  }
})

test('TOOL-3 names that give one identifier both live, and tools are sorted by code unit', () => {
  const { tools } = buildModel(definitions).model
  expect(tools.map(({ name, identifier }) => [name, identifier])).toEqual([
    ['a', 'A'],
    ['b', 'B'],
    ['c', 'C'],
    ['getUser', 'GetUser'],
    ['get_user', expect.stringMatching(/^GetUser_\w{6}$/)],
  ])
})
