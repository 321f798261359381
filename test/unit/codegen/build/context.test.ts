import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { emitTypes } from '../../../../codegen/emit/types.ts'
import { defineContext } from '../../../../runtime/context/define-context.ts'
import { tool } from '../../../../runtime/schema/tool.ts'
import { settings } from '../print/sample-model.ts'
import { define } from './define.ts'

const Place = Type.Object({ street: Type.String() })
const context = defineContext({
  state: Type.Object(
    { place: Place, seen: Type.Optional(Type.Array(Type.String())) },
    { description: 'So far.' },
  ),
  input: Place,
  audit: Type.Cyclic({ Node: Type.Object({ next: Type.Optional(Type.Ref('Node')) }) }, 'Node'),
})
const visit = tool('visit', {
  place: Place,
  _scopes: Type.Unsafe({ const: ['state', '†input.street', '†audit.next.next', 'text'] }),
})
const definitions = [
  define('context', context, 'state'),
  define('Place', Place, 'shared'),
  define('visit', visit),
]

test('TYPE-1 a declared context becomes a schema per kind, with what it shares', () => {
  const { model, findings } = buildModel(definitions)
  expect(findings).toEqual([])
  expect(model.context).toEqual({
    state: {
      type: 'object',
      description: 'So far.',
      required: ['place'],
      properties: { place: { $ref: '#/$defs/Place' }, seen: { type: 'array', items: { type: 'string' } } },
    },
    input: { $ref: '#/$defs/Place' },
    audit: { $ref: '#/$defs/AuditNode' },
  })
  expect(Object.keys(model.definitions)).toEqual(['AuditNode', 'Place'])
})

test('TYPE-1 a project without a context has a model without', () => {
  expect(buildModel([define('visit', visit)]).model).not.toHaveProperty('context')
})

test('TYPE-1 the types of the kinds, and of what fixed scopes let through', () => {
  const { text } = emitTypes(buildModel(definitions).model, settings)
  expect(text).toContain(`/** So far. */
export interface State {
  place: Place
  seen?: string[]
}
`)
  expect(text).toContain(
    'export interface ContextTypes {\n  audit: AuditNode\n  input: Place\n  state: State\n}\n',
  )
  expect(text).toContain(
    "ScopedContext<{ state: State; input: ScopedPart<Place, ['street']>; audit: ScopedPart<AuditNode, ['next', 'next']> }>",
  )
})

test('TYPE-1 a shared schema that goes by the name of a kind keeps it', () => {
  const State = Type.Object({ on: Type.Boolean() })
  const { model } = buildModel([
    define('context', defineContext({ state: Type.Object({ lamp: State }) }), 'state'),
    define('State', State, 'shared'),
    define('lamp', tool('lamp', { set: State })),
  ])
  expect(emitTypes(model, settings).text).toMatch(
    /export interface State_(\w{6}) \{\n {2}lamp: State\n\}\n[\s\S]*ContextTypes \{\n {2}state: State_\1\n\}/,
  )
})

test('TYPE-1 a second context is an error that shows the first', () => {
  const { findings } = buildModel([...definitions, define('other', context, 'state')])
  expect(findings).toMatchObject([
    {
      rule: 'duplicate-context',
      message: expect.stringMatching(/"other": .* at definitions\/all\.ts:\d+:1 as well/),
    },
  ])
})
