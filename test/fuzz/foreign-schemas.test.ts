import { compose, createContext, createRegistry, lower, lowerTools, message, render, tool } from 'callsheet'
import { Idea, Request } from 'callsheet/agent'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { often } from '../runs.ts'
import { fuzz } from './campaign.ts'

/** As a class with the decorators of class-validator makes them. */
class Address {
  city = ''
}

const plain = { type: 'object', properties: { city: { type: 'string' } } }
const vendor = { value: { version: 1, vendor: 'zod' } }

/** What users give where a schema belongs, and what a part of would be lost of. */
const foreign: Readonly<Record<string, () => unknown>> = {
  'as Zod 4': () =>
    Object.defineProperties({ type: 'string', def: {} }, { _zod: { value: {} }, '~standard': vendor }),
  'as Zod 4, marked optional': () => Object.defineProperties({ type: 'string' }, { _zod: { value: {} } }),
  'as Zod 3': () =>
    Object.defineProperty({ _def: { typeName: 'ZodString' }, parse: () => 0 }, '~standard', vendor),
  'as ArkType': () => Object.assign(() => 0, { '~standard': vendor.value }),
  'of a class': () => new Address(),
  'a function': () => Type.String,
  'a promise': () => Promise.resolve(plain),
  'a Map': () => new Map([['city', Type.String()]]),
  'a Date': () => new Date(0),
  'a URL': () => new URL('http://localhost/'),
  'properties alone': () => ({ city: Type.String(), zip: Type.String() }),
  'wrapped in schema': () => ({ name: 'address', schema: plain }),
  'wrapped in jsonSchema': () => ({ jsonSchema: plain }),
  'a tool of MCP': () => ({ name: 'address', description: 'An address.', inputSchema: plain }),
}

const right: Readonly<Record<string, () => unknown>> = {
  'plain JSON': () => plain,
  TypeBox: () => Type.Object({ city: Type.Optional(Type.String()), when: Type.Unknown() }),
  // As Zod 4 exports it.
  'JSON with a face': () => Object.defineProperty({ ...plain }, '~standard', vendor),
  'a note': () => ({ 'x-note': { type: 'string' } }),
  'words of others': () => ({ label: 'City', widget: { rows: 3 } }),
  'words of others, like ours': () =>
    Type.Unknown({ form: { type: 'select', items: ['Oslo'], format: 'wide', required: true } }),
  'an example of OpenAPI': () => Type.Unknown({ example: { type: 'Point', coordinates: [10, 59] } }),
  'data that looks so': () => ({
    type: 'object',
    default: { items: { city: { type: 'string' } }, not: 'x' },
  }),
}

/** Where a schema stands within another. */
const within: readonly ((schema: unknown) => unknown)[] = [
  (schema) => ({ type: 'object', properties: { inner: schema } }),
  (schema) => ({ type: 'array', items: schema }),
  (schema) => ({ anyOf: [{ type: 'null' }, schema] }),
  (schema) => ({ type: 'object', additionalProperties: schema }),
  (schema) => ({ type: 'object', patternProperties: { '^a': schema } }),
]
/** Only around all the others: its reference begins at the root. */
const byName = (schema: unknown): unknown => ({ $defs: { Part: schema }, $ref: '#/$defs/Part' })

const client = {
  chat: {
    completions: {
      create: async () => ({
        choices: [{ message: { content: '{"calls":[],"output":null}' }, finish_reason: 'stop' }],
      }),
    },
  },
}

/** Where users give a schema. Each gives it to the library, and throws what that throws. */
const places: Readonly<Record<string, (schema: never) => unknown>> = {
  'a parameter': async (schema) => {
    const { Tool } = createRegistry({
      tools: { go: tool('go', { given: schema, _output: Type.Null() }) },
    })
    const { error } = await Tool.run({ _tool: 'go', given: null, _output: null })
    if (error && error.code !== 'invalid_call') throw error
  },
  'an output': async (schema) => {
    const { Tool, Activity } = createRegistry({ tools: { go: tool('go', { _output: schema }) } })
    Activity.register('go', () => ({}) as never)
    const { error } = await Tool.run({ _tool: 'go' })
    if (error && error.code !== 'invalid_output') throw error
  },
  'the goal of a Request': (output) =>
    Request({ tools: createRegistry().Tool, client: client as never, model: 'any', context: [], output }),
  lower: (schema) => lower(schema, 'openai'),
}

/** Where a schema is only read at its root, or handed on to what refuses the rest. */
const rootPlaces: Readonly<Record<string, (schema: never) => unknown>> = {
  'compose, the output': (output) => compose([], { output }),
  'compose, a definition': (Part) => compose([], { definitions: { Part } }),
  'compose, a kind': (state) => compose([], { kinds: { state } }),
  'lowerTools, the answer': (answerSchema) => lowerTools([], 'anthropic', { answerSchema }),
  'an Idea': (schema) => new Idea({ schema, context: [] }),
}

const values = Object.entries({ ...foreign, ...right })
let refused = 0

fuzz(
  'TOOL-10 what is no schema is refused wherever it is given, and no schema is',
  300,
  fc.record({
    value: fc.constantFrom(...values),
    place: fc.constantFrom(...Object.entries({ ...places, ...rootPlaces })),
    around: fc.array(fc.constantFrom(...within), { maxLength: 2 }),
    isNamed: fc.boolean(),
  }),
  async ({ value: [kind, make], place: [where, give], around, isNamed }) => {
    const levels = where in rootPlaces ? [] : [...around, ...(isNamed ? [byName] : [])]
    const schema = levels.reduce((inner, wrap) => wrap(inner), make())
    const code = await codeThrown(() => give(schema as never))
    const isRight = Object.hasOwn(right, kind)
    // A goal that says nothing at all is refused at its root.
    const isGoal = /^the goal|^lower$|the output|an Idea/.test(where)
    const saysNothing = /^words|^an example/.test(kind) && isGoal && levels.length === 0
    if (isRight && !saysNothing) expect([kind, where, code]).toEqual([kind, where, undefined])
    if (isRight) return
    refused++
    expect([kind, where, code]).toEqual([
      kind,
      where,
      expect.stringMatching(/^(unsupported_schema|invalid_options)$/),
    ])
  },
)

test('values were refused', () => expect(refused).toBeGreaterThan(often(100)))

async function codeThrown(work: () => unknown): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return Object(error).code ?? error
  }
}

test.each(Object.entries(foreign))(
  'TOOL-10 a Message does not take as its schema, or as a Tool, %s',
  (kind, make) => {
    // JSON: contexts come from stores too, and a Tool that is malformed is left out of them.
    if (/^(properties|wrapped|a tool|of a class)/.test(kind)) return
    const value = make() as never
    expect(() => message({ type: 'state', state: 1, schema: value })).toThrow(
      /schema: expected a JSON Schema/,
    )
    expect(() => createContext([{ type: 'tool', tool: value }])).toThrow(/tool: expected a Tool schema/)
  },
)

test.each(Object.entries(foreign))('TOOL-10 no Tool is, at run time, %s', (_, make) => {
  const { Tool } = createRegistry()
  for (const take of [(given: never) => Tool.register('go', given), (go: never) => render({ go }, 'json')]) {
    expect(() => take(make() as never)).toThrow(expect.objectContaining({ code: 'unsupported_schema' }))
  }
})

test.each([
  ['names of types', { city: 'string' }],
  ['classes', { city: String }],
  ['tools of Gemini', { functionDeclarations: [{ name: 'go', parameters: plain }] }],
])('TOOL-10 no Tool is made of %s', (_, schema) => {
  expect(() => createRegistry().Tool.register('go', schema)).toThrow(/has no keyword of JSON Schema/)
})

test.each([
  ['promise', Promise.resolve([])],
  ['function', () => []],
])('TOOL-10 render takes no %s for a record without Tools', (_, tools) => {
  expect(() => render(tools as never, 'json')).toThrow(
    /^render takes a registry’s Tool, Tools by name, or a list of them, got /,
  )
})
