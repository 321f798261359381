import { expect, test } from 'vitest'
import { callsheet, project } from '../cli/in-terminal.ts'

const tool = (values: string) =>
  `export const a = { type: 'object', properties: { _tool: { const: 'a' }, x: { enum: ${values} } }, required: ['_tool'], description: 'a' }\n`

test.each([
  ["['a', 'b', 'a']", '"a" twice'],
  ['[{ a: 1, b: [1] }, { b: [1], a: 1 }]', '{"b":[1],"a":1} twice'],
])('GEN-4 an enum lists each value once: %s', async (values, got) => {
  const { err } = await callsheet(project({ 'definitions/a.ts': tool(values) }), ['generate'])
  expect(err).toContain(
    `repeated-enum-value: Tool "a" at /properties/x: an enum lists each value once; got ${got}.`,
  )
})

test('GEN-4 an enum of any length costs one pass', async () => {
  const values = 'Array.from({ length: 100_000 }, (_, index) => ({ at: index }))'
  const folder = project({
    'definitions/a.ts': tool(values),
    'callsheet.config.json': '{ "dialects": ["json-schema"] }',
  })
  const { err } = await callsheet(folder, ['generate'])
  expect(err).not.toContain('repeated-enum-value')
}, 60_000)
