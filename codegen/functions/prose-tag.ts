import { ts } from 'ts-morph'
import { nearestName } from '../names/nearest-name.ts'
import { isConstraint, limitingTags } from './constraints.ts'

/** Tags that say how a Tool runs. */
const decisiveTags: readonly string[] = ['effects', 'outputPath']

/** Whether a tag is an option of a Tool. */
export function isOption(tag: string): boolean {
  return decisiveTags.includes(tag) || tag === 'tool' || tag === 'title' || tag === 'deprecated'
}

/** Tags of JSDoc and TSDoc that often end a line, in comments of one line above all. */
const commonTags = new Set(
  `abstract alpha async author beta category deprecated example experimental ignore inheritDoc internal override param private
privateRemarks protected public readonly remarks return returns sealed see since template throws title todo typeParam version
virtual`.split(/\s+/),
)

/** Returns the tag that was meant by a misspelt one whose loss would change what a Tool accepts, or how it runs. */
export function meantTag(name: string): string | undefined {
  const meant = nearestName(name, [...decisiveTags, ...limitingTags])
  return meant === name ? undefined : meant
}

/** Whether a tag is a word of a sentence, such as `@general` in "Posts to @general.": TypeScript takes each for a tag. */
export function isProse(tag: ts.JSDocTag): boolean {
  const name = tag.tagName.text
  const isTag =
    isConstraint(name) || commonTags.has(name) || decisiveTags.includes(name) || meantTag(name) !== undefined
  return !isTag && !startsLine(tag)
}

/** Whether nothing but the comment's own marks is before a tag in its line. */
export function startsLine(tag: ts.JSDocTag): boolean {
  const { text } = tag.getSourceFile()
  const before = text.slice(text.lastIndexOf('\n', tag.pos) + 1, tag.pos)
  return /^(?:.*\/\*\*|\s*\*?)\s*$/.test(before)
}

/** Normalises Windows line ends, which the compiler keeps in comments. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Returns the text that TypeScript took for a tag. */
export function proseText({ tagName, comment }: ts.JSDocTag): string {
  const text = withPlainLineEnds(ts.getTextOfJSDocComment(comment) ?? '')
  const isApart = /\s/.test(tagName.getSourceFile().text[tagName.end] ?? ' ')
  return `@${tagName.text}${isApart && text !== '' ? ' ' : ''}${text}`
}
