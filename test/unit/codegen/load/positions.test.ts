import { describe, expect, test } from 'vitest'
import { jsonOffset, jsonTree } from '../../../../codegen/json/json-offset.ts'
import { loadDefinitions } from '../../../../codegen/load/load-definitions.ts'
import { maskSource } from '../../../../codegen/load/mask-source.ts'
import { project, typebox } from './project.ts'

const on = '$'

describe('what is no code is blanked, and positions stay', () => {
  test.each([
    { given: "a // b '\nc", want: 'a       \nc' },
    { given: 'a /* b\n c */ d', want: 'a     \n      d' },
    { given: 'f(\'a // b\', "c")', want: 'f(\'      \', " ")' },
    { given: "x = /['\"]/.test(y) ? 'z' : 1", want: "x = /    /.test(y) ? ' ' : 1" },
    { given: 'a / b / c', want: 'a / b / c' },
    { given: '`a\nb` + c', want: '` \n ` + c' },
    { given: `\`a ${on}{b(\`c\`, 'd' /* e */)} f\` + g`, want: `\`  ${on}{b(\` \`, ' '        )}  \` + g` },
    { given: `\`${on}{/\`/.test(a) ? {} : 1}\``, want: `\`${on}{/ /.test(a) ? {} : 1}\`` },
    { given: `\`a \\${on}{b}\``, want: '`       `' },
    { given: "'it\\'s' + d", want: "'     ' + d" },
  ])('$given', ({ given, want }) => {
    expect(maskSource(given, 'comments and strings')).toBe(want)
    expect(want).toHaveLength(given.length)
  })
})

test.each([
  { path: [], want: '{' },
  { path: ['a'], want: '"a": [1' },
  { path: ['a', '1'], want: '{ "b,]"' },
  { path: ['a', '1', 'b,]'], want: '"b,]"' },
  { path: ['c', 'gone'], want: '"c"' },
])('GEN-4 the place of $path in JSON', ({ path, want }) => {
  const text = '{ "a": [1, { "b,]": "x" }], "c": {} }'
  expect(text.slice(jsonOffset(jsonTree(text), path))).toMatch(want.slice(0, 3))
  expect(text.slice(jsonOffset(jsonTree(text), path)).startsWith(want)).toBe(true)
})

test('GEN-4 a pointer leads to the line of the property, in TypeScript and in JSON', async () => {
  const root = project({
    'definitions/a.ts': `${typebox}
// export const a = Type.Object({ b: … }) is only a comment
export const a = Type.Object({
  _tool: Type.Literal('a'),
  list: Type.Array(Type.Object({
    'odd-key': Type.String(),
  })),
})
export const b = Type.Object({ 'odd-key': Type.Number(), _tool: Type.Literal('b') })
`,
    'definitions/c.json':
      '{\n  "title": "c",\n  "properties": {\n    "x": { "type": "string",\n      "pattern": "(" }\n  }\n}',
  })
  const { definitions } = await loadDefinitions({ root, definitions: ['definitions'] })
  const at = (index: number, pointer: string) => {
    const place = definitions[index]?.locate?.(pointer)
    return `${place?.file}:${place?.line}:${place?.column}`
  }
  expect(at(0, '')).toBe('definitions/a.ts:4:14')
  expect(at(0, '/properties/list')).toBe('definitions/a.ts:6:3')
  expect(at(0, '/properties/list/items/properties/odd-key/pattern')).toBe('definitions/a.ts:7:5')
  expect(at(0, '/properties/gone')).toBe('definitions/a.ts:4:14')
  expect(at(1, '/properties/odd-key')).toBe('definitions/a.ts:10:32')
  expect(at(2, '/properties/x/pattern')).toBe('definitions/c.json:5:7')
})

test('GEN-4 the places of thousands of Tools in one JSON file take one pass over it', async () => {
  const properties = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, { type: 'string' }]))
  const tools = Array.from({ length: 3_000 }, (_, n) => ({
    type: 'object',
    properties: { _tool: { const: `t${n}` }, ...properties },
    required: ['_tool'],
  }))
  const root = project({ 'definitions/tools.json': JSON.stringify(tools, null, 1) })
  const { definitions } = await loadDefinitions({ root, definitions: ['definitions'] })
  const start = performance.now()
  const lines = definitions.map(({ at }) => at.line)
  // Parsing the file for each of them takes a minute.
  expect(performance.now() - start).toBeLessThan(6_000)
  expect(new Set(lines).size).toBe(3_000)
})
