import { ts } from 'ts-morph'
import type { Problems } from './problems.ts'
import { hasToolTag } from './tool-tag.ts'

/**
 * Reports each `@tool` within a line, which may be prose: no function is offered to models by accident. Also reports each that
 * belongs to nothing that was looked at, whose Tool would be missing without a word: within a function or an object, or where
 * TypeScript attaches no comment, as on the line of an opening brace.
 *
 * @param within Whether only comments in what was looked at belong to it. The rest of a file that is re-exported may be others'.
 */
export function reportStrayTags(
  source: ts.SourceFile,
  looked: readonly ts.Node[],
  problems: Problems,
  within: 'file' | 'looked',
): void {
  const docs = looked.flatMap((node) => ts.getJSDocCommentsAndTags(node))
  for (const doc of docs) {
    const tag = ts.isJSDoc(doc) ? doc.tags?.find(({ tagName }) => tagName.text === 'tool') : undefined
    if (tag === undefined || hasToolTag(source.text.slice(doc.pos, doc.end))) continue
    problems.addAt(
      'function-shape',
      problems.position(source, tag.pos),
      '@tool stands within a line, so it could be part of a sentence.',
      'Put it on a line of its own, or, where it is part of a sentence, in backticks.',
    )
  }
  const known = new Set(docs.map(({ pos }) => pos))
  for (const { pos, end } of commentsOf(source)) {
    if (known.has(pos) || !hasToolTag(source.text.slice(pos, end))) continue
    if (within === 'looked' && !looked.some((node) => node.pos <= pos && end <= node.end)) continue
    problems.addAt(
      'function-shape',
      problems.position(source, pos),
      '@tool stands where no exported function, and no method of an exported class, begins.',
      'Put it on a line of its own right above one, or remove it.',
    )
  }
}

/** Every doc comment of a file, by the tokens that it stands before or after. */
function commentsOf(source: ts.SourceFile): readonly ts.CommentRange[] {
  const { text } = source
  const found = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    // The text of a doc comment has nodes of its own.
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child))
    if (children.length > 0) {
      for (const child of children) visit(child)
      return
    }
    const around = [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ]
    for (const range of around) if (text.startsWith('/**', range.pos)) found.set(range.pos, range)
  }
  visit(source)
  return [...found.values()]
}
