import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { makeTools } from '../../../../bench/corpus.mjs'
import { compileDefinition, compileVerdict } from '../../../../codegen/validators/compile.ts'
import { stringSource } from '../../../../codegen/validators/literal.ts'
import { verdictName } from '../../../../codegen/validators/names.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'
import { compilerOutput } from '../../../types/compiler-output.ts'

const definitions: Record<string, Schema> = {
  Node: {
    type: 'object',
    properties: {
      value: { type: 'integer', minimum: 0 },
      children: { type: 'array', items: { $ref: '#/$defs/Node' } },
    },
    required: ['value'],
    additionalProperties: false,
  },
  Alias: { $ref: '#/$defs/Node' },
}

describe('GEN-1 emitted checks', () => {
  test.each(['a', 'a !== b', 'a || b', "a' !== 'b", '(a)', '!a('])(
    'what a name or a constant says decides nothing: %s',
    (text) => {
      const one = compileVerdict(
        { type: 'object', properties: { [text]: { const: text } }, required: [text] },
        {},
      )
      expect(one.verdict).toContain(' === ')
      expect(one.verdict.replaceAll(stringSource(text), 'TEXT')).not.toContain('!== TEXT')
    },
  )

  test('a check reads as source: names, a line a property, what it needs', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        location: { type: 'string' },
        days: { type: 'integer', minimum: 1, maximum: 7 },
        contact: { type: 'string', format: 'email' },
        root: { $ref: '#/$defs/Node' },
      },
      required: ['location', 'root'],
      additionalProperties: false,
    }
    expect(compileVerdict(schema, definitions)).toEqual({
      declarations: [
        `const check$1 = formatTest('email')`,
        `const check$2 = ['location', 'days', 'contact', 'root']`,
      ],
      verdict: [
        `(v) => {`,
        `  if (!(v = record(v))) return false`,
        `  let a = 2`,
        `  if (typeof v.location !== 'string') return false`,
        `  const c = v.days`,
        `  if (c !== undefined && ++a && (!Number.isInteger(c) || c < 1 || c > 7)) return false`,
        `  const d = v.contact`,
        `  if (d !== undefined && ++a && !check$1(d) || !NodeVerdict(v.root)) return false`,
        `  for (const _ in v) if (--a < 0) return isClosed(v, check$2)`,
        `  return true`,
        `}`,
      ].join('\n'),
      helpers: ['formatTest', 'isClosed', 'record'],
      definitions: ['Node'],
    })
  })

  test('GEN-8 they compile under the strictest settings', () => {
    const schemas: Schema[] = [true, false, {}, ...everyKeyword, { $ref: '#/$defs/Alias' }]
    const checks = schemas.map((schema, index) => compileVerdict(schema, definitions, `check${index}`))
    const steps = Object.keys(definitions).map((name) => ({ name, ...compileDefinition(name, definitions) }))
    const names = [...new Set([...checks, ...steps].flatMap(({ helpers }) => helpers))].join(', ')
    const source = [
      `import { ${names}, type Verdict } from '../../../../../runtime/checks.ts'`,
      ...steps.flatMap(({ name, declarations, verdict }) => [
        ...declarations,
        `export const ${verdictName(name)}: Verdict = ${verdict}`,
      ]),
      ...checks.flatMap(({ declarations, verdict }, index) => [
        ...declarations,
        `export const check${index}: Verdict = ${verdict}`,
      ]),
    ].join('\n')
    expect(compileErrors(source)).toBe('')
  })

  test('at most 1.6 KB per check of the corpus', () => {
    const schemas = makeTools(200).flatMap(({ parameters, output }) => [parameters, output])
    const bytes = schemas.reduce((sum, schema) => {
      const { declarations, verdict } = compileVerdict(schema, {})
      return sum + Buffer.byteLength([...declarations, verdict].join('\n'))
    }, 0)
    expect(bytes / schemas.length).toBeLessThan(1600)
  })
})

const everyKeyword: Schema[] = [
  { type: ['string', 'null'], minLength: 1, maxLength: 3, pattern: '^a', format: 'date' },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5, format: 'double' },
  { minimum: 1, minItems: 1, minProperties: 1, minLength: 1 },
  { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false, uniqueItems: true },
  { contains: { const: 1 }, minContains: 2, maxContains: 3, unevaluatedItems: true },
  {
    properties: {
      constructor: { type: 'string' },
      'odd key': {},
      no: false,
      'a/b': { enum: [1, null, { a: [] }] },
    },
  },
  {
    patternProperties: { '^x': { type: 'string' } },
    additionalProperties: { type: 'number' },
    maxProperties: 3,
  },
  {
    propertyNames: { minLength: 2 },
    required: ['a'],
    dependentRequired: { a: ['b'] },
    dependentSchemas: { b: { required: ['c'] } },
  },
  {
    anyOf: [{ properties: { a: {} }, required: ['a'] }, { $ref: '#/$defs/Node' }],
    unevaluatedProperties: false,
  },
  {
    oneOf: [{ type: 'string' }, { type: 'integer' }],
    not: { const: 1 },
    allOf: [{ minLength: 1 }, { maxLength: 2 }],
  },
  Object.fromEntries([
    ['if', { type: 'string' }],
    ['then', { const: 'a' }],
    ['else', { type: 'number' }],
  ]),
]

/** Runs the project's compiler over one module inside this folder, so that relative imports resolve. */
function compileErrors(source: string): string {
  const folder = mkdtempSync(fileURLToPath(new URL('./tmp-', import.meta.url)))
  try {
    writeFileSync(join(folder, 'checks.ts'), source)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../../../../tsconfig.json',
        compilerOptions: { isolatedDeclarations: true, declaration: true },
        include: ['*.ts'],
      }),
    )
    return compilerOutput(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
