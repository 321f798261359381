import { ts } from 'ts-morph'
import { isTagAnywhere } from './known-tags.ts'
import { withPlainLineEnds } from './line-ends.ts'

/** Whether a tag is a word of a sentence, such as `@general` in "Posts to @general.": TypeScript takes each for a tag. */
export function isProse(tag: ts.JSDocTag): boolean {
  return !isTagAnywhere(tag.tagName.text) && !startsLine(tag)
}

/** Whether nothing but the comment's own marks is before a tag in its line. */
export function startsLine(tag: ts.JSDocTag): boolean {
  const { text } = tag.getSourceFile()
  const before = text.slice(text.lastIndexOf('\n', tag.pos) + 1, tag.pos)
  return /^(?:.*\/\*\*|\s*\*?)\s*$/.test(before)
}

/** Returns the text that TypeScript took for a tag. */
export function proseText({ tagName, comment }: ts.JSDocTag): string {
  const text = withPlainLineEnds(ts.getTextOfJSDocComment(comment) ?? '')
  const isApart = /\s/.test(tagName.getSourceFile().text[tagName.end] ?? ' ')
  return `@${tagName.text}${isApart && text !== '' ? ' ' : ''}${text}`
}
