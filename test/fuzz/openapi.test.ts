import { Ajv2020 } from 'ajv/dist/2020.js'
import { createRegistry, type ToolSchema } from 'callsheet'
import { toolServer } from 'callsheet/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { often } from '../runs.ts'
import { jsonRequest } from '../unit/runtime/server/serving.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { made } from './made.ts'

const seen = { taken: 0, refused: 0 }
const address = 'https://example.org/document'

interface OpenApi {
  readonly paths: Record<
    string,
    {
      readonly post: {
        readonly requestBody: { readonly content: Record<string, { readonly schema: object }> }
      }
    }
  >
}
interface ListOfTools {
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[]
}

/** A Tool whose parameters have a schema, or one of them and the output; the definitions are those of the Tool. */
function toolOf({ $defs, ...schema }: JsonSchema, isWhole: boolean): ToolSchema {
  const tool = isWhole
    ? { allOf: [schema], properties: {} }
    : { properties: { value: schema, _output: schema } }
  return { type: 'object', ...tool, $defs } as unknown as ToolSchema
}

/** Whether Ajv accepts a value; undefined where it fails itself. */
function judgeOf(ajv: Ajv2020, schema: object): (value: unknown) => boolean | undefined {
  return (value) => {
    try {
      return ajv.validate(schema, value) as boolean
    } catch {
      return undefined
    }
  }
}

fuzz(
  'SERVE-3 the OpenAPI document and the list of Tools accept what the server accepts, and nothing else',
  600,
  fc.record({
    schema: everyKeywordSchema,
    isWhole: fc.boolean(),
    recipes: fc.array(choices, { minLength: 5, maxLength: 5 }),
  }),
  async ({ schema, isWhole, recipes }) => {
    const { Tool, Activity } = createRegistry()
    // Another Tool refers to definitions of the same names.
    const anyOf = [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }]
    Tool.register('other', toolOf({ anyOf, $defs: { A: { type: 'null' }, B: false } }, false))
    made(() => {
      Tool.register('it', toolOf(schema, isWhole))
      return () => true
    })
    Activity.register('it', () => undefined)
    const server = toolServer(Tool)
    const read = async (path: string) => (await server(new Request(`http://localhost/${path}`))).json()
    const document = (await read('openapi.json')) as OpenApi
    const body = document.paths['/tools/it']?.post.requestBody.content['application/json']?.schema
    const listed = ((await read('tools')) as ListOfTools).tools.find(({ name }) => name === 'it')
    if (!body || !listed) return
    const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false, logger: false })
    ajv.addSchema({ ...document, $id: address })
    const inDocument = JSON.parse(JSON.stringify(body).replaceAll('"#/', `"${address}#/`)) as object
    const judges = [inDocument, listed.inputSchema].map((each) => judgeOf(ajv, each))
    for (const recipe of recipes) {
      const near = nearValue(schema, recipe)
      const value = isWhole ? near : { value: near }
      // Ajv calls `toString` of a value that it compares.
      if (typeof value !== 'object' || value === null || JSON.stringify(value).includes('"toString"'))
        continue
      if (Array.isArray(value)) continue
      const { status } = await server(jsonRequest('http://localhost/tools/it', value))
      // The schema itself is refused, such as one that refers to itself.
      if (status === 500) return
      const isTaken = status !== 422
      seen[isTaken ? 'taken' : 'refused'] += 1
      for (const judge of judges)
        expect(judge(value) ?? isTaken, JSON.stringify({ schema, isWhole, value })).toBe(isTaken)
    }
  },
)

test('values of both kinds were seen', () => {
  expect(seen.taken).toBeGreaterThan(often(50))
  expect(seen.refused).toBeGreaterThan(often(50))
})
