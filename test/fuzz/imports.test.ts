import fc from 'fast-check'
import ts from 'typescript-6.0'
import { expect } from 'vitest'
import { importTools } from '../../codegen/import/import-tools.ts'
import { unicodePattern } from '../../codegen/import/unicode-pattern.ts'
import { fuzz } from './campaign.ts'
import { hostileJson, hostileText } from './hostile-json.ts'
import { hostileSchema } from './hostile-schema.ts'

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
      expect(path).toMatch(/^[A-Za-z_][\w-]*\.ts$/)
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
