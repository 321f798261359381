import { expect, test } from 'vitest'
import { buildModel } from '../../../../codegen/build/build-model.ts'
import { emitDialects } from '../../../../codegen/emit/dialects.ts'
import { define } from '../build/define.ts'
import { settings } from '../print/sample-model.ts'

test('GEN-4 what a dialect cannot say is named by its Tool, and by its place in that', () => {
  const definition = define('quote', {
    type: 'object',
    properties: { _tool: { const: 'quote' }, 'a"b': { type: 'string' } },
    required: ['_tool'],
  })
  const { model } = buildModel([
    define('fine', { type: 'object', properties: { _tool: { const: 'fine' } }, required: ['_tool'] }),
    definition,
  ])
  const [dialect] = emitDialects(model, {
    ...settings,
    dialects: [{ dialect: 'xgrammar', mode: 'composed' }],
  })
  expect(dialect?.findings).toMatchObject([
    {
      rule: 'dialect-unsupported',
      tool: 'quote',
      message:
        'Dialect xgrammar cannot say Tool "quote", at the root: expected parameter names without quotes, backslashes and line breaks, got "a\\"b"',
    },
  ])
})

test('GEN-4 definitions that lead too far to be lowered are named by their Tool', () => {
  const length = 1_400
  const definition = (index: number): object =>
    index === length
      ? { type: 'string' }
      : { type: 'object', properties: { next: { $ref: `#/$defs/d${index + 1}` } } }
  const tool = (name: string, more: object, $defs: object): object => ({
    type: 'object',
    properties: { _tool: { const: name }, ...more },
    required: ['_tool'],
    $defs,
  })
  const { model } = buildModel([
    define('fine', tool('fine', {}, {})),
    define(
      'follows',
      tool(
        'follows',
        { first: { $ref: '#/$defs/d0' } },
        Object.fromEntries(
          Array.from({ length: length + 1 }, (_, index) => [`d${index}`, definition(index)]),
        ),
      ),
    ),
    define('other', tool('other', {}, {})),
  ])
  const dialects = [{ dialect: 'openai', mode: 'composed' }] as const
  const [composed] = emitDialects(model, { ...settings, dialects })
  expect(composed?.findings).toMatchObject([{ rule: 'dialect-unsupported', tool: 'follows' }])
})
