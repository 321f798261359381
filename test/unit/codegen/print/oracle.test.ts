import { compile as compileElsewhere, type JSONSchema, type Options } from 'json-schema-to-typescript'
import { describe, expect, it } from 'vitest'
import { makeTools } from '../../../../bench/corpus.mjs'
import { isJsonObject } from '../../../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { toolSets } from '../../../data/tool-sets.ts'
import { compile } from './compile.ts'
import { printType } from './print-type.ts'

const options: Partial<Options> = {
  bannerComment: '',
  format: false,
  ignoreMinAndMaxItems: true,
  // As here: what a schema does not mention is left to structural typing.
  additionalProperties: false,
  $refOptions: { resolve: { external: false, http: false } },
}

const text = { type: 'string' }
const table: Record<string, JsonSchema> = {
  scalars: object({ a: text, b: { type: 'integer' }, c: { type: 'boolean' }, d: { type: 'null' } }),
  literals: object({ a: { const: 'x' }, b: { enum: [1, 'y', null, true] }, c: { const: [1, 'x'] } }),
  nullable: object({ a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'number' }, { type: 'null' }] } }),
  lists: object({ a: { type: 'array', items: { enum: ['x', 'y'] } }, b: { type: 'array' } }),
  records: object({ a: { type: 'object', additionalProperties: { type: 'number' } }, b: { type: 'object' } }),
  unions: object({
    a: { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' }, n: text })] },
  }),
  intersections: object({ a: { allOf: [object({ x: text }), object({ y: { type: 'number' } })] } }),
  names: object({ 'a-b': text, "it's": text, '†': text, '1': text }),
}

function object(properties: Record<string, Schema>): JsonSchema {
  const [first] = Object.keys(properties)
  return { type: 'object', properties, required: first === undefined ? [] : [first] }
}

/** Schemas by what they are of: the synthetic corpus and the tools of MCP servers, those without definitions. */
function toolSchemas(): Record<string, JsonSchema> {
  const corpus = makeTools(60, 7).flatMap(({ name, parameters, output }) => [
    [`corpus ${name}`, parameters],
    [`corpus ${name} result`, output],
  ])
  const listed = toolSets.flatMap(({ name: set, tools }) =>
    tools
      .filter(({ inputSchema }) => !inputSchema.$defs)
      .map(({ name, inputSchema }) => [`${set} ${name}`, inputSchema]),
  )
  return Object.fromEntries([...corpus, ...listed])
}

/** Have a member of any value, with a description: one of the cases below, where the other generator says object. */
const describedOnly = [
  'github-mcp-server projects_write',
  'the made-up MCP server create_timer',
  'the made-up MCP server update_timer',
]

/** Which of the schemas the two generators read as types that do not fit each other both ways. */
async function differing(schemas: Record<string, JsonSchema>): Promise<string[]> {
  const ours: string[] = []
  const theirs: string[] = []
  const checks = ["import type * as Ours from './ours.js'", "import type * as Theirs from './theirs.js'"]
  checks.push(
    'type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false',
  )
  const names = Object.keys(schemas)
  for (const [at, name] of names.entries()) {
    const schema = schemas[name] ?? {}
    ours.push(`export type T${at} = ${printType(schema)}`)
    // An interface has no implicit index signature, which the comparison needs: it is made a type alias.
    const source = await compileElsewhere(withoutTitles(schema), `T${at}`, options)
    theirs.push(source.replace(/^export interface (\w+) \{/gm, 'export type $1 = {'))
    checks.push(`export const c${at}: Same<Ours.T${at}, Theirs.T${at}> = true`)
  }
  const { errors } = compile({
    'ours.ts': ours.join('\n'),
    'theirs.ts': theirs.join('\n'),
    'checks.ts': checks.join('\n'),
  })
  return errors.map((error) => {
    const at = Number(/checks\.ts\((\d+),/.exec(error)?.[1]) - 4
    return `${names[at] ?? ''}: ${error}`
  })
}

/** Titles make the other generator declare types of their own, whose names then clash. */
function withoutTitles(schema: JsonSchema): JSONSchema {
  const copy = JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'title' && typeof value === 'string' ? undefined : value,
  )
  return isJsonObject(copy) ? copy : {}
}

describe('GEN-1 types agree with json-schema-to-typescript', () => {
  it('on a table of what both read', async () => {
    expect(await differing(table)).toEqual([])
  })

  it('on the synthetic corpus and the tools of MCP servers', async () => {
    const schemas = Object.entries(toolSchemas()).filter(([name]) => !describedOnly.includes(name))
    expect(schemas.length).toBeGreaterThan(200)
    expect(await differing(Object.fromEntries(schemas))).toEqual([])
  })

  /** Where it is known to be wrong, so that a release that mends it is noticed and the case moves to the table. */
  const known: [what: string, schema: JsonSchema, ours: string][] = [
    [
      '2020-12 tuples',
      { type: 'array', prefixItems: [text, { type: 'number' }], minItems: 2, items: false },
      '[string, number]',
    ],
    ['not', { type: ['string', 'null'], not: { type: 'null' } }, 'string'],
    ['a description alone', { description: 'Any value.' }, 'unknown'],
    ['a constraint without a type', { minimum: 3 }, 'unknown'],
    ['enum beside a type that refuses some', { type: 'string', enum: ['a', 1] }, "'a'"],
  ]
  it('and not where that one is wrong', async () => {
    const schemas = Object.fromEntries(known.map(([what, schema]) => [what, object({ a: schema })]))
    expect(known.map(([, schema]) => printType(schema))).toEqual(known.map(([, , type]) => type))
    expect(await differing(schemas)).toHaveLength(known.length)
  })
})
