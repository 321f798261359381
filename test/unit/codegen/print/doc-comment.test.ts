import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { docComment, schemaDoc } from '../../../../codegen/print/doc-comment.ts'
import type { Schema } from '../../../../runtime/schema/schema.ts'

describe('GEN-1 descriptions as doc comments', () => {
  const cases: [what: string, text: string, comment: string][] = [
    ['one line', 'Where.', '/** Where. */\n'],
    ['several lines', 'One.\r\n\r\nTwo.\n', '/**\n * One.\n *\n * Two.\n */\n'],
    ['nothing', '', ''],
    ['only space', ' \n\t\n', ''],
    ['the end of a comment', 'a */ b', '/** a *\\/ b */\n'],
    ['the end of a comment after a line break', 'a\n*/', '/**\n * a\n * *\\/\n */\n'],
    ['a slash alone', '/', '/** / */\n'],
    ['a star at the end', 'a*', '/** a* */\n'],
    ['a tag at the start', '@deprecated since 2', '/** \\@deprecated since 2 */\n'],
    ['a tag inside', 'use @types/node or {@link x}', '/** use \\@types/node or {\\@link x} */\n'],
    ['an address is no tag', 'mail me@example.com @ home', '/** mail me@example.com @ home */\n'],
    ['line separators of other alphabets', 'a\u2028b\u2029c\u0085d', '/**\n * a\n * b\n * c\n * d\n */\n'],
    ['marks that reorder, zero bytes, half pairs', 'a\u202eb\u0000c\ud800d', '/** a b c\ufffdd */\n'],
    ['other scripts', '日本 † 🎉', '/** 日本 † 🎉 */\n'],
    ['a long line', 'x'.repeat(120), `/**\n * ${'x'.repeat(120)}\n */\n`],
  ]
  it.each(cases)('%s', (_, text, comment) => {
    expect(docComment([text])).toBe(comment)
  })

  it('no text ends the comment or makes a tag', () => {
    const hostile = fc
      .array(fc.constantFrom('*', '/', '@', '\n', '\u2028', ' ', 'deprecated', '{', '\\', '\r'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(hostile, (text) => {
        const comment = docComment([text])
        expect(comment.indexOf('*/')).toBe(comment === '' ? -1 : comment.length - 3)
        expect(comment).not.toMatch(/[\s{]@\S/)
      }),
      { numRuns: 500 },
    )
  })

  it('is indented with what it stands above', () => {
    expect(docComment(['a', 'b'], [], '  ')).toBe('  /**\n   * a\n   * b\n   */\n')
  })
})

describe('GEN-1 what a type cannot say stands in the doc comment', () => {
  const cases: [what: string, schema: Schema, comment: string][] = [
    [
      'title and description',
      { title: 'Size', description: 'In bytes.' },
      '/**\n * Size\n * In bytes.\n */\n',
    ],
    [
      'bounds and default, in one order',
      { default: 3, maximum: 9, type: 'integer', minimum: 1 },
      '/** @integer @minimum 1 @maximum 9 @default 3 */\n',
    ],
    [
      'after several lines',
      { description: 'a\nb', format: 'email' },
      '/**\n * a\n * b\n * @format email\n */\n',
    ],
    ['deprecated', { deprecated: true, description: 'Old.' }, '/** Old. @deprecated */\n'],
    ['not deprecated', { deprecated: false, description: 'New.' }, '/** New. */\n'],
    [
      'a text default is quoted, a pattern is not',
      { default: 'a', pattern: '^a*/' },
      '/** @pattern ^a*\\/ @default "a" */\n',
    ],
    ['a hostile default', { default: '*/ @x' }, '/** @default "*\\/ \\@x" */\n'],
    ['a note too long to read is left out', { pattern: 'x'.repeat(300) }, ''],
    ['nothing to say', { type: 'string' }, ''],
    ['a boolean schema', true, ''],
  ]
  it.each(cases)('%s', (_, schema, comment) => {
    expect(schemaDoc(schema)).toBe(comment)
  })
})
