import { expect, test } from 'vitest'
import { buildModel } from '../../codegen/build/build-model.ts'
import { checkModel } from '../../codegen/check/check-model.ts'
import type { Settings } from '../../codegen/config/settings.ts'
import { emitDialects } from '../../codegen/emit/dialects.ts'
import { emit } from '../../codegen/emit/emit.ts'
import { hasError } from '../../codegen/findings/has-error.ts'
import { importTools } from '../../codegen/import/import-tools.ts'
import { stringSource } from '../../codegen/validators/literal.ts'
import { define } from '../unit/codegen/build/define.ts'
import { settings as withoutDialects } from '../unit/codegen/print/sample-model.ts'
import { identifiers, skeleton } from './skeleton.ts'

/** Each leaves some literal, comment, template or markup when it is pasted instead of printed. */
const payloads: readonly string[] = [
  '*/ hacked() /*',
  '**/ hacked() /**',
  '\n*/ hacked()\n/*',
  '// \n hacked()',
  "'); hacked(); ('",
  "\\'); hacked(); //",
  '"); hacked(); ("',
  '`); hacked(); (`',
  '\u0024{hacked()}',
  '`\u0024{hacked()}`',
  '\u2028hacked()\u2029',
  '</script><script>hacked()</script>',
  '\\u0027); hacked(); //',
  '\r\nhacked()',
  '@hacked {@link hacked()}',
  '"}; hacked(); const x = {"',
  '[hacked()]',
  'a; hacked()',
]

const settings: Settings = {
  ...withoutDialects,
  dialects: [
    { dialect: 'json-schema', mode: 'composed' },
    { dialect: 'mcp', mode: 'native' },
  ],
}

const plain = 'plain'

/** Letters that take as much place in the code: what is long is printed as a constant of its own. */
function twinOf(payload: string): string {
  return 'x'.repeat(stringSource(payload).length - 2)
}

/** A definition that says `text` wherever a definition can say something. */
function definition(name: string, text: string) {
  const pattern = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return define(name, {
    type: 'object',
    title: text,
    description: text,
    $comment: text,
    tsType: text,
    tsEnumNames: [text],
    'x-other': { [`${text}!`]: text },
    examples: [{ [`${text}!`]: text }],
    deprecated: true,
    properties: {
      _tool: { const: name, description: text },
      [`${text}!`]: { type: 'string', description: text, title: text, default: text, tsType: text },
      other: { enum: [text, { [`${text}!`]: [text] }], description: text },
      fixed: { const: text },
      shaped: { type: 'string', pattern, description: text },
      tagged: {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { const: text }, [`${text}!`]: { type: 'number' } },
            required: ['kind', `${text}!`],
          },
          { type: 'object', properties: { kind: { const: `${text}2` } }, required: ['kind'] },
        ],
      },
      record: {
        type: 'object',
        patternProperties: { [`^${pattern}`]: { type: 'string', description: text } },
      },
      needs: { type: 'object', dependentRequired: { [`${text}!`]: [`${text}2`] }, required: [`${text}3`] },
      _output: {
        type: 'object',
        description: text,
        properties: { [`${text}!`]: { const: text } },
        required: [`${text}!`],
      },
    },
    required: ['_tool', `${text}!`],
    additionalProperties: false,
  })
}

function generated(text: string): Map<string, string> {
  const definitions = [definition('find', text), definition('Kit.show', text)]
  const built = buildModel(definitions)
  const findings = [...built.findings, ...checkModel(built.model, definitions)]
  expect(hasError(findings) ? findings : [], text).toEqual([])
  const files = emit(built.model, settings, emitDialects(built.model, settings))
  expect(files.filter(({ path }) => path.endsWith('.json'))).not.toHaveLength(0)
  return new Map(files.map((file) => [file.path, file.text]))
}

test.each(payloads)(
  'GEN-1 %j anywhere in a definition: the generated code is that of a harmless twin',
  (payload) => {
    const files = generated(payload)
    const harmless = generated(twinOf(payload))
    expect([...files.keys()]).toEqual([...harmless.keys()])
    for (const [path, text] of files) {
      if (path.endsWith('.json')) {
        expect(() => JSON.parse(text)).not.toThrow()
        continue
      }
      expect(identifiers(text), path).not.toContain('hacked')
      expect(skeleton(text), path).toBe(skeleton(harmless.get(path) ?? ''))
    }
  },
)

test('GEN-1 no generated file has characters that reorder or hide what its reader sees', () => {
  const hidden = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
  for (const [path, text] of generated('a\u202eb\u2066c\u009b31m\ufeff\u200f')) {
    expect(hidden.exec(text)?.index, path).toBeUndefined()
  }
})

test.each(payloads)(
  'GEN-10 %j anywhere in an imported tool: the definition is that of a harmless twin',
  (payload) => {
    const [hostile, twin] = [payload, plain].map((text) => imported(text))
    expect(hostile?.map(({ path }) => path)).toEqual(twin?.map(({ path }) => path))
    for (const [index, { text }] of (hostile ?? []).entries()) {
      expect(identifiers(text)).not.toContain('hacked')
      expect(skeleton(text)).toBe(skeleton(twin?.[index]?.text ?? ''))
    }
  },
)

test('the comparison sees code: a twin with one statement more, or one name less literal, is another', () => {
  const same = (left: string, right: string): boolean => skeleton(left) === skeleton(right)
  expect(same("f('a')", "f('b')")).toBe(true)
  expect(same("const a = { 'x y': 1 }", 'const a = { b: 2 }')).toBe(true)
  expect(same('/** a */ f(1)', '/** b\n */ f(2)')).toBe(true)
  expect(same("f('a')", "f(''); hacked()")).toBe(false)
  expect(same("f('a')", 'f(hacked)')).toBe(false)
  expect(same("f('a')", 'f(`\u0024{hacked()}`)')).toBe(false)
  expect(same("const a = { 'x': 1 }", 'const a = { [hacked()]: 1 }')).toBe(false)
})

function imported(text: string) {
  const schema = {
    type: 'object',
    description: text,
    tsType: text,
    properties: {
      [`${text}!`]: { type: 'string', description: text, default: text, enum: [text] },
      fixed: { const: text },
    },
    required: [`${text}!`],
  }
  const tools = [{ name: 'find', title: text, description: text, inputSchema: schema, outputSchema: schema }]
  const { files, findings } = importTools({ tools })
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  return files
}
