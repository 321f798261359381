import { Ajv2020 } from 'ajv/dist/2020.js'
import { createRegistry, message, type ToolSchema } from 'callsheet'
import { type ToolServerOptions, toolServer } from 'callsheet/server'
import { describe, expect, test } from 'vitest'
import { jsonRequest } from './serving.ts'

interface OpenApi {
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly object[]
  readonly paths: Record<
    string,
    {
      post: {
        operationId: string
        summary: string
        parameters: readonly { $ref: string }[]
        responses: Record<string, { headers?: object; content?: Record<string, object> }>
        requestBody: { content: { 'application/json': { schema: object } } }
      }
    }
  >
  readonly components: {
    readonly schemas: Record<string, object>
    readonly parameters: Record<string, { name: string; in: string; schema: object }>
  }
}

/** The document of Tools that are registered at run time, as their schemas are written. */
async function documentOf(tools: Record<string, ToolSchema>, options: ToolServerOptions = {}) {
  const { Tool, Activity } = createRegistry()
  for (const [name, schema] of Object.entries(tools)) {
    Tool.register(name, schema)
    Activity.register(name, async () => undefined)
  }
  const server = toolServer(Tool, options)
  const path = `http://localhost${options.basePath ?? ''}/openapi.json`
  const response = await server(new Request(path))
  await server.close()
  return { Tool, document: (await response.json()) as OpenApi }
}

/** A Tool with the parameter `value`. */
function tool(value: object, more: object = {}): ToolSchema {
  return { type: 'object', properties: { value, text: { type: 'string' } }, ...more } as ToolSchema
}

const note = message({ type: 'text', text: 'it is done' })
const name = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const spellings: Record<string, ToolSchema> = {
  definition: tool({ $ref: '#/$defs/Name' }, { $defs: { Name: name, Unused: { type: 'null' } } }),
  older: tool({ $ref: '#/definitions/Name' }, { definitions: { Name: name } }),
  property: tool(
    { $ref: '#/properties/other' },
    { properties: { other: name, value: { $ref: '#/properties/other' } } },
  ),
  deep: tool({ $ref: '#/$defs/Box/properties/inner' }, { $defs: { Box: { properties: { inner: name } } } }),
  id: tool({ $ref: 'urn:name' }, { $defs: { Name: { ...name, $id: 'urn:name' } } }),
  escaped: tool({ $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': name } }),
  root: tool({ $ref: '#' }, { required: ['text'] }),
  recursive: tool(
    { $ref: '#/$defs/Node' },
    {
      $defs: {
        Node: {
          type: 'object',
          properties: { name: { type: 'string' }, nodes: { type: 'array', items: { $ref: '#/$defs/Node' } } },
          required: ['name'],
        },
      },
    },
  ),
}

describe('SERVE-3 the OpenAPI document', () => {
  test('every reference leads somewhere in the document, to what the Tool refers to', async () => {
    const { Tool, document } = await documentOf(spellings)
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema({ ...document, $id: 'https://example.org/document' })
    for (const [path, { post }] of Object.entries(document.paths)) {
      const { schema } = post.requestBody.content['application/json']
      const text = JSON.stringify(schema).replaceAll('"#/', '"https://example.org/document#/')
      const check = ajv.compile(JSON.parse(text) as object)
      const values = [{ name: 'a' }, { name: 5 }, {}, { text: 'a' }, { name: 'a', nodes: [{}] }]
      for (const value of values) {
        const called = path.slice('/tools/'.length)
        const outcome = await Tool.run({ _tool: called, text: 'here', value }, { references: false })
        const says = `${called} ${JSON.stringify(value)}`
        expect(`${says} ${check({ text: 'here', value })}`).toBe(`${says} ${outcome.status === 'succeeded'}`)
      }
    }
  })

  test('is there where definitions lead far', async () => {
    const length = 5_000
    const steps = Array.from({ length }, (_, index) => [
      `step${index}`,
      { type: 'object', properties: { next: { $ref: `#/$defs/step${index + 1}` } } },
    ])
    const $defs = { ...Object.fromEntries(steps), [`step${length}`]: name }
    const { document } = await documentOf({ far: tool({ $ref: '#/$defs/step0' }, { $defs }) })
    expect(Object.keys(document.components.schemas)).toHaveLength(length + 2)
    expect(document.components.schemas[`far.in.step${length}`]).toEqual(name)
  })

  test('has no component that nothing refers to, and none of two Tools under one name', async () => {
    const shared = { $defs: { in_b: name, 'a b': name, a_b: { type: 'number' } } }
    const { document } = await documentOf({
      a: tool(
        { anyOf: [{ $ref: '#/$defs/in_b' }, { $ref: '#/$defs/a b' }, { $ref: '#/$defs/a_b' }] },
        shared,
      ),
      a_in: tool({ $ref: '#/$defs/b' }, { $defs: { b: { type: 'boolean' }, unused: {} } }),
    })
    expect(document.components.schemas).toMatchObject({
      'a.in.in_b': name,
      'a.in.a_b': name,
      'a.in.a_b.2': { type: 'number' },
      'a_in.in.b': { type: 'boolean' },
    })
    expect(Object.keys(document.components.schemas)).toHaveLength(5)
  })

  test('has no Tool whose schema is malformed, which would make all of it invalid', async () => {
    const { document } = await documentOf({ broken: tool({ $dynamicRef: '#node' }), sound: tool({}) })
    expect(Object.keys(document.paths)).toEqual(['/tools/sound'])
  })

  test('operations have ids and summaries of their own, also where names share a form', async () => {
    const { document } = await documentOf({
      'a.b': tool({}),
      a__b: tool({}),
      add: tool({}, { title: 'Adds' }),
    })
    const operations = Object.values(document.paths).map(({ post }) => post)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(3)
    expect(operations.map(({ summary }) => summary)).toEqual(['a.b', 'a__b', 'Adds'])
  })

  const number = { type: 'number' }
  const pathed = { _output: number, _outputPath: { type: 'string' } }
  test.each([
    { it: 'has no output', properties: {}, returns: 5, statuses: ['204'] },
    { it: 'has one', properties: { _output: number }, returns: 5, statuses: ['200'] },
    { it: 'has any', properties: { _output: {} }, returns: undefined, statuses: ['200', '204'] },
    { it: 'returns a Message', properties: pathed, returns: note, statuses: ['200', '204'] },
  ])('SERVE-3 lists the statuses of its Tool, which $it', async ({ properties, returns, statuses }) => {
    const { Tool, Activity } = createRegistry({ tools: { it: tool({}, { properties }) } })
    Activity.register('it', () => returns)
    const server = toolServer(Tool)
    const document = (await (await server(new Request('http://localhost/openapi.json'))).json()) as OpenApi
    const { responses, parameters } = document.paths['/tools/it']?.post ?? {}
    expect(Object.keys(responses ?? {})).toEqual([...statuses, 'default'])
    // The header that it lists is the one that counts.
    expect(parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }])
    const key = document.components.parameters.IdempotencyKey
    expect(key).toMatchObject({ in: 'header', schema: { minLength: 1, maxLength: 500 } })
    for (const [length, wanted] of [
      [500, statuses.at(-1)],
      [501, '400'],
    ] as const) {
      const headers = { [key?.name ?? '']: 'k'.repeat(length) }
      const answer = await server(jsonRequest('http://localhost/tools/it', {}, { headers }))
      expect(String(answer.status)).toBe(wanted)
      const described = responses?.[answer.status] ?? responses?.default
      const type = answer.headers.get('content-type')
      expect(Object.keys(described?.content ?? {})).toEqual(type === null ? [] : [type])
    }
    await server.close()
  })

  test.each([
    { field: '_scopes', schema: { type: 'array', items: { enum: ['state'] } }, value: [] },
    { field: '_outputPath', schema: { type: 'string' }, value: '†state.a' },
  ])('SERVE-3 asks for $field where a Call needs it, and not where the Tool fixes it', async (each) => {
    const { field, schema, value } = each
    const needs = (properties: object) =>
      tool({}, { properties, required: [field], additionalProperties: false })
    const { Tool, Activity } = createRegistry({
      tools: { open: needs({ [field]: schema }), fixed: needs({ [field]: { const: value } }) },
    })
    Activity.register('open', () => undefined)
    Activity.register('fixed', () => undefined)
    const server = toolServer(Tool)
    const document = (await (await server(new Request('http://localhost/openapi.json'))).json()) as OpenApi
    const bodyOf = (name: string) =>
      document.paths[`/tools/${name}`]?.post.requestBody.content['application/json'].schema
    expect(bodyOf('open')).toMatchObject({ properties: { [field]: schema }, required: [field] })
    expect(bodyOf('fixed')).toMatchObject({ properties: {}, required: [] })
    for (const [name, body] of [
      ['open', { [field]: value }],
      ['fixed', {}],
    ] as const)
      expect((await server(jsonRequest(`http://localhost/tools/${name}`, body))).status).toBe(204)
    await server.close()
  })

  test('says where the server is mounted, and whether it takes credentials', async () => {
    const open = await documentOf({ add: tool({}) })
    expect(open.document).toMatchObject({ servers: [{ url: '/' }], security: [] })
    const mounted = await documentOf({ add: tool({}) }, { basePath: '/agents/tools' })
    expect(mounted.document.servers).toEqual([{ url: '/agents/tools' }])
    const server = toolServer(mounted.Tool, { authorize: () => ({ id: 'a' }) })
    const guarded = (await (await server(new Request('http://localhost/openapi.json'))).json()) as OpenApi
    expect(guarded).toMatchObject({
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    })
    await server.close()
  })
})
