import ts from 'typescript-6.0'
import { describe, expect, test } from 'vitest'
import { compileVerdict } from '../../../../codegen/validators/compile.ts'
import { literalSource } from '../../../../codegen/validators/literal.ts'
import { unsupportedDefinition } from '../../../../codegen/validators/supported.ts'
import { interpretCheck } from '../../../../runtime/check-tree/interpret.ts'
import type { Problem } from '../../../../runtime/errors.ts'
import type { JsonSchema, Schema } from '../../../../runtime/schema/schema.ts'
import { compiled } from './evaluate.ts'

/** Texts that leave a literal, a comment, a template or a script element where they are pasted. */
const texts = [
  `'; globalThis.hacked = 1; '`,
  '"; globalThis.hacked = 1; "',
  '`\u0024{globalThis.hacked = 1}`',
  '*/ globalThis.hacked = 1 /*',
  '// \n globalThis.hacked = 1',
  '</script><script>globalThis.hacked = 1</script>',
  '\u2028globalThis.hacked = 1\u2029',
  '\\',
  "\\'; globalThis.hacked = 1; //",
  '\u202e ;1 = dekcah.sihTlabolg',
  '\ud800 half a pair',
  '\0\r\n\t',
  'constructor',
  'toString',
]

describe('GEN-1 nothing of a schema leaves its literal in emitted code', () => {
  test.each(texts)('%j as name, value, definition, pattern and format', (text) => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        [text]: { enum: [text, { [text]: text }] },
        other: { const: text },
      },
      required: [text],
      patternProperties: { [escaped(text)]: { format: text, pattern: escaped(text) } },
      additionalProperties: false,
      description: text,
    }
    const { verdict: code } = compileVerdict(schema, {})
    expect(identifiers(code)).not.toContain('hacked')
    expect(code).not.toMatch(/[\u2028-\u202e\ud800]|<\/script|\*\//)
    const [check, twin] = [compiled(schema), interpretCheck(schema)]
    for (const value of [{}, { [text]: text }, { [text]: 1 }, { other: text }, { other: 'x' }]) {
      expect(check(value)).toBe(twin(value))
    }
    expect(Object.hasOwn(globalThis, 'hacked')).toBe(false)
  })

  test('a JSON literal with a __proto__ key sets no prototype', () => {
    const value = JSON.parse('{ "__proto__": { "admin": true } }')
    const printed = new Function(`return ${literalSource(value)}`)()
    expect(Object.getPrototypeOf(printed)).toBe(Object.prototype)
    expect(JSON.stringify(printed)).toBe('{"__proto__":{"admin":true}}')
  })

  test('a definition whose name TypeScript cannot spell is no identifier', () => {
    const definitions = { 'x; hacked()': { type: 'string' } } as Record<string, Schema>
    expect(() => compileVerdict({ $ref: '#/$defs/x; hacked()' }, definitions)).toThrow(/TypeScript can spell/)
  })
})

describe('GEN-4 what cannot be checked as it says is refused, with what to do', () => {
  test.each<[reason: RegExp, schema: unknown]>([
    [/pattern must be a regular expression/, { pattern: '(' }],
    [/pattern must be .* at most 10000 characters/, { pattern: 'a'.repeat(1_000_000) }],
    [/patternProperties must be schemas by regular expression/, { patternProperties: { '[': {} } }],
    [/\$dynamicRef chooses its target/, { $dynamicRef: '#node' }],
    [/\$anchor is not supported/, { $anchor: 'a' }],
    [/leads to no definition; there are no definitions/, { $ref: 'https://example.com/schema.json' }],
    [/leads to no definition/, { properties: { a: { $ref: '#/$defs/Nobody' } } }],
    [/has the name "__proto__"/, JSON.parse('{ "properties": { "__proto__": {} } }')],
    [/required lists the name "__proto__"/, { required: ['__proto__'] }],
    [/type must be the name of a JSON type/, { type: 'undefined' }],
    [/minLength must be a whole number/, { minLength: -1 }],
    [/exclusiveMinimum must be a finite number, not true/, { exclusiveMinimum: true }],
    [/multipleOf must be a number greater than 0/, { multipleOf: 0 }],
    [/enum must be a list with at least one value/, { enum: [] }],
    [/items must be a schema/, { items: 7 }],
    [/nullable must be/, { nullable: true }],
    [/unevaluatedItems with contains/, { unevaluatedItems: false, contains: {} }],
    [/\$schema must be that of/, { $schema: 'http://json-schema.org/draft-04/schema#' }],
    [/nested more than 200 levels/, nestedSchema(300)],
  ])('%s', (reason, schema) => {
    const found = unsupportedDefinition(schema, {})
    expect(found.map((each) => each.reason).join('\n')).toMatch(reason)
    expect(found.every(({ fix }) => fix.length > 10)).toBe(true)
    expect(() => interpretCheck(schema as Schema)).toThrow(
      expect.objectContaining({ code: 'unsupported_schema' }),
    )
  })

  test('a reference that leads back to itself without looking into the value', () => {
    const definitions = { A: { $ref: '#/$defs/B' }, B: { allOf: [{ $ref: '#/$defs/A' }] } }
    expect(unsupportedDefinition(definitions.A, definitions)[0]?.reason).toMatch(/leads back to itself/)
  })
})

describe('CALL-1 a hostile value gives a problem, never a crash', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: { next: { $ref: '#' }, items: { type: 'array', items: { $ref: '#' } } },
  }

  test.each([
    ['compiled', compiled],
    ['interpreted', interpretCheck],
  ])('nested deeply, cyclic, with properties that throw: %s', (_kind, make) => {
    const check = make(tree)
    const cyclic: Record<string, unknown> = {}
    cyclic.next = cyclic
    const throwing = Object.defineProperty({}, 'next', { enumerable: true, get: () => raise() })
    expect(reason(check, deep(100_000))).toMatch(/nested too deeply/)
    expect(reason(check, cyclic)).toMatch(/nested too deeply/)
    expect(reason(check, throwing)).toMatch(/properties can be read, got an error: no/)
    expect(reason(check, deep(200))).toBe('')
  })

  test.each([
    ['compiled', compiled],
    ['interpreted', interpretCheck],
  ])('only own properties count: %s', (_kind, make) => {
    const needs = make({
      type: 'object',
      properties: { a: { type: 'number' }, toString: { type: 'string' } },
      required: ['a'],
    })
    expect(needs({ a: 1 })).toBe(true)
    expect(needs(Object.create({ a: 1 }))).toBe(false)
    expect(needs({ a: 1, toString: 1 })).toBe(false)
    expect(make({ type: 'object', required: ['constructor'] })({})).toBe(false)
    const closed = make({ type: 'object', properties: { a: {} }, additionalProperties: false })
    expect(closed(JSON.parse('{ "a": 1, "__proto__": 2 }'))).toBe(false)
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
  })

  test('values that are no JSON are rendered, not thrown at', () => {
    const problems: Problem[] = []
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    for (const value of [cyclic, 1n, Symbol('s'), () => 1, undefined, Number.NaN, Object.create(null)]) {
      compiled({ type: 'string' })(value, '', problems)
    }
    expect(problems).toHaveLength(7)
    expect(problems.every(({ received }) => received.length <= 60)).toBe(true)
  })
})

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function identifiers(code: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node.text)
    node.forEachChild(visit)
  }
  visit(ts.createSourceFile('check.ts', `export const call = ${code}`, ts.ScriptTarget.Latest))
  return found
}

function reason(check: ReturnType<typeof compiled>, value: unknown): string {
  const problems: Problem[] = []
  expect(check(value, '', problems)).toBe(problems.length === 0)
  return problems.map(({ message }) => message).join('\n')
}

function deep(levels: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = { next: value }
  return value
}

function nestedSchema(levels: number): Schema {
  let schema: Schema = {}
  for (let level = 0; level < levels; level++) schema = { items: schema }
  return schema
}

function raise(): never {
  throw new TypeError('no')
}

test.each<{ schema: JsonSchema }>([
  { schema: { properties: { a: { minLength: 0 } } } },
  { schema: { properties: { a: { minItems: 0 } }, required: ['a'] } },
  { schema: { properties: { a: { minProperties: 0 } }, additionalProperties: false } },
  { schema: { items: { minLength: 0 } } },
  { schema: { not: { allOf: [{ minLength: 0 }] } } },
  {
    schema: {
      anyOf: [
        { type: 'string', minLength: 0 },
        { properties: { a: { minLength: 0 } }, required: ['a'] },
      ],
    },
  },
])('GEN-1 a bound that bounds nothing is no empty expression: $schema', ({ schema }) => {
  const [check, twin] = [compiled(schema), interpretCheck(schema)]
  for (const value of ['', [], [''], {}, { a: '' }, { a: [] }, null]) {
    expect(check(value)).toBe(twin(value))
  }
})
