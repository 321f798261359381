import fc from 'fast-check'
import ts from 'typescript-6.0'
import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { closeParameters } from '../../codegen/import/close-parameters.ts'
import { importTools } from '../../codegen/import/import-tools.ts'
import { SchemaNormaliser } from '../../codegen/import/normalise-schema.ts'
import { unicodePattern } from '../../codegen/import/unicode-pattern.ts'
import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { isJsonObject, type JsonObject } from '../../runtime/json/json.ts'
import { callSchema } from '../../runtime/schema/call-schema.ts'
import type { JsonSchema, Schema } from '../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../runtime/schema/schema-children.ts'
import { often } from '../runs.ts'
import { evaluateDefinitions } from '../unit/codegen/import/evaluate-definitions.ts'
import { compiled } from '../unit/codegen/validators/evaluate.ts'
import { fuzz } from './campaign.ts'
import { choices, everyKeywordSchema, nearValue } from './every-keyword-schema.ts'
import { hostileJson, hostileText } from './hostile-json.ts'
import { hostileSchema } from './hostile-schema.ts'
import { made } from './made.ts'
import { olderSchema } from './older-schema.ts'
import { plainJudge } from './plain-judge.ts'

const judged = { valid: 0, invalid: 0 }

const described = fc.record(
  {
    name: fc.oneof(fc.constantFrom('find', 'get-user', 'delete', 'x.y'), hostileText),
    title: hostileText,
    description: hostileText,
    inputSchema: hostileSchema,
    outputSchema: hostileSchema,
    annotations: hostileJson,
  },
  { requiredKeys: ['name'], noNullPrototype: true },
)

/** An MCP list, an OpenAI list, plain schemas, or something else. */
const source = fc.oneof(
  fc.array(described, { maxLength: 3 }).map((tools) => ({ tools })),
  fc
    .array(described, { maxLength: 3 })
    .map((tools) =>
      tools.map((each) => ({ type: 'function', function: { ...each, parameters: each.inputSchema } })),
    ),
  hostileSchema,
  hostileJson,
)

fuzz(
  'GEN-10 any source: definitions that are whole, findings with a cure, the same for the same input',
  200,
  fc.record({ given: source, rename: fc.boolean() }),
  ({ given, rename }) => {
    const before = JSON.stringify(given)
    const result = importTools(given, { rename, name: 'given' })
    expect(importTools(JSON.parse(before ?? 'null'), { rename, name: 'given' })).toEqual(result)
    expect(JSON.stringify(given)).toBe(before)
    for (const { fix, message } of result.findings) expect(fix.length * message.length).toBeGreaterThan(0)
    expect(new Set(result.files.map(({ path }) => path.toLowerCase())).size).toBe(result.files.length)
    for (const { path, text } of result.files) {
      expect(path).toMatch(/^(?:tool\.)?[A-Za-z_][\w-]*\.ts$/)
      expect(codeIn(text), text).toEqual([])
    }
  },
)

const parts = ['A', 'B', 'C'] as const
/** Of each definition: whether it has an address, whether it has an anchor, and what it refers to, spelled how. */
const graph = fc.record(
  Object.fromEntries(
    parts.map((name) => [
      name,
      fc.record({
        hasId: fc.boolean(),
        hasAnchor: fc.boolean(),
        refers: fc.array(fc.tuple(fc.constantFrom(...parts), fc.nat(4)), { minLength: 1, maxLength: 3 }),
      }),
    ]),
  ),
)

fuzz(
  'GEN-10 a reference means the same by pointer, by anchor and by address',
  300,
  fc.record({ graph, spelled: fc.array(fc.tuple(fc.constantFrom(...parts), fc.nat(4)), { maxLength: 4 }) }),
  ({ graph, spelled }) => {
    const reference = (name: string, way: number): string => {
      const { hasId, hasAnchor } = graph[name] ?? {}
      const ways = [
        `#/$defs/${name}`,
        `https://x.example/tool#/$defs/${name}`,
        `tool#/$defs/${name}`,
        ...(hasId ? [`part-${name}`] : []),
        ...(hasAnchor ? [`${hasId ? `part-${name}` : 'tool'}#anchor-${name}`] : []),
      ]
      return ways[way % ways.length] ?? ''
    }
    const source = (isPlain: boolean) => {
      const refs = (list: readonly (readonly [string, number])[]) =>
        Object.fromEntries(
          list.map(([name, way], index) => [`p${index}`, { $ref: reference(name, isPlain ? 0 : way) }]),
        )
      const $defs = Object.fromEntries(
        Object.entries(graph).map(([name, { hasId, hasAnchor, refers }]) => [
          name,
          {
            ...(!isPlain && hasId && { $id: `part-${name}` }),
            ...(!isPlain && hasAnchor && { $anchor: `anchor-${name}` }),
            type: 'object',
            properties: refs(refers),
          },
        ]),
      )
      const inputSchema = { $id: 'https://x.example/tool', properties: refs(spelled), $defs }
      return importTools([{ name: 'x', inputSchema }])
    }
    expect(source(false)).toEqual(source(true))
  },
)

fuzz(
  'GEN-10, GEN-11 a schema of every keyword, imported and generated, has the verdict of the one that came in',
  12,
  fc.array(fc.tuple(everyKeywordSchema, fc.array(choices, { minLength: 8, maxLength: 8 })), {
    minLength: 10,
    maxLength: 10,
  }),
  async (sources) => {
    const tools = sources.map(([inputSchema], index) => ({ name: `t${index}`, inputSchema }))
    const definitions = await evaluateDefinitions(importTools({ tools }, { open: true }).files)
    const at = { file: 'tools.ts', line: 1, column: 1 }
    const loaded = [...definitions].map(([name, value]) => ({ kind: 'tool' as const, name, value, at }))
    const { model, findings } = buildModel(loaded)
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    for (const [index, [source, recipes]] of sources.entries()) {
      const tool = model.tools.find(({ name }) => name === `t${index}`)
      const $defs = model.definitions as Record<string, Schema>
      const check = tool && made(() => compiled({ ...callSchema(tool.schema).schema, $defs }))
      if (!check) continue
      for (const value of recipes.map((recipe) => nearValue(source, recipe))) {
        if (!isJsonObject(value)) continue
        const want = plainJudge(source, value)
        expect(check(value), JSON.stringify({ source, value })).toBe(want)
        judged[want ? 'valid' : 'invalid']++
      }
    }
  },
)

fuzz(
  'GEN-10 forms of older drafts and of OpenAPI 3.0, and references of any spelling, mean what 2020-12 means',
  500,
  fc.tuple(everyKeywordSchema, choices, fc.array(choices, { minLength: 6, maxLength: 6 })),
  ([schema, given, recipes]) => {
    const source = olderSchema(schema, given)
    const [want, got] = [schema, source].map((each) => {
      const normaliser = new SchemaNormaliser('x', false)
      const input = normaliser.normalise(each)
      const whole: JsonSchema = { ...input, $defs: normaliser.definitionsOf(input) }
      return { whole, refused: normaliser.findings.length }
    })
    expect(got?.refused, JSON.stringify({ schema, source })).toBe(want?.refused)
    if (!want || !got || want.refused > 0) return
    const value = made(() => interpretCheck(want.whole)) && recipes.map((recipe) => nearValue(schema, recipe))
    for (const each of value ?? []) {
      const verdicts = [want, got].map(({ whole }) => plainJudge(whole, each))
      expect(verdicts[1], JSON.stringify({ schema, source, value: each })).toBe(verdicts[0])
    }
  },
)

test('the imported schemas are of both kinds', () => {
  for (const count of Object.values(judged)) expect(count).toBeGreaterThan(often(10))
})

const members = fc.subarray(['a', 'b'])
/** An object that declares some members and requires some that may be declared elsewhere. */
const settings: fc.Arbitrary<JsonSchema> = fc
  .record({ declared: members, required: members })
  .map(({ declared, required }) => ({
    type: 'object',
    properties: Object.fromEntries(declared.map((name) => [name, { type: 'string' }])),
    required,
  }))
/** A schema that looks at the parameter `p`, or at the items of a list of it. */
const looking = fc
  .tuple(
    settings,
    fc.constantFrom('properties', 'patternProperties', 'additionalProperties', 'items', 'contains'),
    fc.option(settings),
    fc.nat(3),
  )
  .map(([inner, keyword, other, form]): JsonSchema => {
    const isList = keyword === 'items' || keyword === 'contains'
    const whole = isList ? { type: 'array', [keyword]: inner } : inner
    const part =
      form === 0
        ? { anyOf: [whole, { type: 'null' }], ...(isList ? { items: other ?? true } : other) }
        : whole
    if (keyword === 'additionalProperties') return { [keyword]: part }
    if (keyword !== 'patternProperties') return { properties: { p: part } }
    return { [keyword]: { '^p$': part, ...(other && { '^[pr]': other }) } }
  })
/** Keywords by which another schema looks at the same value. */
const beside: readonly ((schema: JsonSchema) => JsonSchema)[] = [
  (schema) => schema,
  (schema) => ({ allOf: [schema] }),
  (schema) => ({ anyOf: [schema, { type: 'null' }] }),
  (schema) => ({ oneOf: [schema] }),
  (schema) => ({ not: schema }),
  (schema) => ({ ...schema, enum: [{ p: { a: 'x', b: 'x' } }, { p: {}, q: 'x' }, { q: 'x' }] }),
  (schema) =>
    Object.fromEntries([
      ['if', { required: ['p'] }],
      ['then', schema],
    ]),
  (schema) => ({ dependentSchemas: { p: schema } }),
  (schema) => ({ dependentRequired: { p: schema.required ?? ['q'] } }),
]
/** Everything that can be left of such a value. */
const objects = [{}, { a: 'x' }, { b: 'x' }, { a: 'x', b: 'x' }]
const lists = [[], ...objects.flatMap((each) => [[each], ...objects.map((other) => [each, other])])]
const everything = [{}, { q: 'x' }, ...[...objects, ...lists, null].flatMap((p) => [{ p }, { p, q: 'x' }])]

/** Moves subschemas into definitions, those that the numbers choose, from the start again at their end. */
function hoisted(root: JsonSchema, given: readonly number[]): JsonSchema {
  const $defs: Record<string, Schema> = {}
  let at = 0
  const moved = (schema: Schema): Schema => {
    if (!isJsonObject(schema)) return schema
    const whole = mapChildSchemas(schema, moved)
    if ((given[at++ % given.length] ?? 0) % 2 === 0) return whole
    const name = `D${at}`
    // Sometimes a part of it stays beside the reference.
    const { required, ...others } = whole
    const staying = at % 3 === 0 && required ? { required } : {}
    $defs[name] = at % 3 === 0 ? others : whole
    return { $ref: `#/$defs/${name}`, ...staying }
  }
  return { ...mapChildSchemas(root, moved), $defs }
}

fuzz(
  'GEN-10 parameters are closed so that of each Call that the source takes, the whole or a part can be made, and no other',
  300,
  fc.tuple(looking, looking, fc.constantFrom(...beside), choices),
  ([first, second, around, given]) => {
    const source = hoisted({ type: 'object', required: ['p'], ...first, ...around(second) }, given)
    const { files, findings } = importTools([{ name: 'x', inputSchema: source }])
    if (findings.some(({ severity }) => severity === 'error')) return
    const { $defs = {}, ...input } = source
    const closed = closeParameters(input, $defs, [])
    const [takes, takesClosed] = [
      interpretCheck(source),
      interpretCheck({ ...closed.input, $defs: closed.definitions }),
    ]
    expect(files).toHaveLength(1)
    const possible = everything.filter((value) => takesClosed(value))
    for (const value of possible) expect(takes(value), JSON.stringify({ source, value })).toBe(true)
    for (const value of everything.filter((each) => takes(each))) {
      const shown = JSON.stringify({ source, value })
      expect(
        possible.some((part) => isPartOf(part, value)),
        shown,
      ).toBe(true)
    }
  },
)

function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole
  if (typeof whole !== 'object' || whole === null) return false
  if (Array.isArray(part) && part.length !== (whole as unknown[]).length) return false
  return Object.entries(part).every(([name, value]) => isPartOf(value, (whole as JsonObject)[name]))
}

/** Pieces of patterns as people write them who know no flag `u`. */
const loosePiece = fc.constantFrom(
  ...[
    'a',
    'b',
    '-',
    '_',
    '@',
    '"',
    '{',
    '}',
    ']',
    ',',
    '1',
    '.',
    '\\w',
    '\\d',
    '\\s',
    '\\.',
    '\\-',
    '\\_',
    '\\@',
    '\\/',
    '\\"',
  ],
  ...[
    '[\\w-.]',
    '[a-\\d]',
    '[\\w-]',
    '[-a]',
    '[a-c_]',
    '[\\-\\"]',
    '[^\\s-+]',
    '[^\\]]',
    '{2}',
    '{1,}',
    '{,2}',
    '+',
    '*',
    '?',
    '(a|b)',
    '(?:a)',
    '(?=a)',
    '^',
    '$',
    '|',
  ],
)

fuzz(
  'GEN-10 a pattern that is none with the flag u is imported as one that finds the same',
  2000,
  fc.tuple(
    fc.array(loosePiece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.array(fc.string({ unit: fc.constantFrom(...'ab-_@"{},]1.c /+\\'), maxLength: 6 }), {
      minLength: 12,
      maxLength: 12,
    }),
  ),
  ([source, texts]) => {
    const mended = unicodePattern(source)
    if (mended === undefined) return
    const [plain, unicode] = [new RegExp(source), new RegExp(mended, 'u')]
    for (const text of texts)
      expect(unicode.test(text), JSON.stringify({ source, mended, text })).toBe(plain.test(text))
  },
)

/** Calls and assignments in a definitions file that are not the DSL’s, and what is no TypeScript at all. */
function codeIn(text: string): string[] {
  const file = ts.createSourceFile('definition.ts', text, ts.ScriptTarget.Latest)
  const found = ts
    .transpileModule(text, { reportDiagnostics: true })
    .diagnostics?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  const odd: string[] = found ?? []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'globalThis') odd.push('globalThis')
    if (ts.isCallExpression(node) && !/^(?:tool|Type\.\w+)$/.test(node.expression.getText(file)))
      odd.push(node.expression.getText(file))
    if (ts.isTemplateExpression(node)) odd.push(node.getText(file))
    node.forEachChild(visit)
  }
  visit(file)
  return odd
}
