import { ts } from 'ts-morph'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { isConstraint, readConstraint } from './constraints.ts'
import { isOption, misspeltTag } from './known-tags.ts'
import { withPlainLineEnds } from './line-ends.ts'
import { isProse, proseText, startsLine } from './prose-tag.ts'

/** The text in a doc comment about a parameter, a member of one, or the return value. */
export interface Said {
  readonly text: string
  readonly keywords: JsonSchema
  readonly node: ts.Node
}

/** The same while it is being read. */
interface Described {
  text: string
  readonly keywords: JsonSchema
  readonly node: ts.Node
}

/** A parsed doc comment. */
export interface DocTags {
  readonly description: string | undefined
  /** Each other tag: `@tool weather.check`. */
  readonly tags: ReadonlyMap<string, Said>
  /** By the name in `@param`: `limit`, `where.folder`. In source order. */
  readonly parameters: ReadonlyMap<string, Said>
  readonly returns: Said | undefined
  /** Tags with invalid text. */
  readonly malformed: readonly { readonly node: ts.Node; readonly message: string }[]
}

/** Reads the doc comment of a declaration. Constraint tags that follow a `@param` or `@returns` belong to it. */
export function docTags(declaration: ts.Node): DocTags {
  const comment = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).at(-1)
  const tags = new Map<string, Described>()
  const parameters = new Map<string, Described>()
  const malformed: { node: ts.Node; message: string }[] = []
  const main = describedBy(comment?.comment, declaration)
  let returns: Described | undefined
  /** The parameter or return value that constraints belong to. */
  let current: Described | undefined
  /** What the words that follow belong to; undefined if nothing reads them, as in an example. */
  let worded: Described | undefined = main
  for (const tag of comment?.tags ?? []) {
    const name = tag.tagName.text
    if (isProse(tag)) {
      if (worded) worded.text = `${worded.text} ${proseText(tag)}`.trim()
      continue
    }
    if (worded === undefined && !startsLine(tag)) continue
    const read = describedBy(tag.comment, tag)
    if (ts.isJSDocParameterTag(tag)) {
      worded = current = withoutDash(read)
      parameters.set(entityText(tag.name), current)
    } else if (name === 'returns' || name === 'return') {
      worded = current = withoutDash(read)
      // Several `@returns` are joined: each may describe a member. A blank line keeps them apart.
      if (returns) current.text = `${returns.text}\n\n${current.text}`
      if (returns) Object.assign(current.keywords, { ...returns.keywords, ...current.keywords })
      returns = current
    } else if (current !== undefined && isConstraint(name)) {
      addConstraint(current.keywords, name, read.text, tag, malformed)
    } else {
      const before = tags.get(name)
      if (before && before.text !== read.text && isOption(name) && name !== 'deprecated')
        malformed.push({ node: tag, message: `@${name} occurs twice, with different texts.` })
      // What follows below the tag describes the function: `@tool` is rarely meant to have a text.
      const below = name === 'tool' ? splitBelow(read, tag) : ''
      main.text = `${main.text}\n${below}`.trim()
      tags.set(name, read)
      if (name === 'title') worded = read
      else if (!isOption(name) && startsLine(tag)) worded = undefined
    }
  }
  return { description: nonEmpty(main.text), tags, parameters, returns, malformed }
}

/** Reads the doc comment of a member or a type: its text and its constraints. */
export function memberDocs(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  malformed: (message: string) => void,
): { readonly description: string | undefined; readonly keywords: JsonSchema } {
  const keywords: JsonSchema = {}
  for (const { name, text } of symbol.getJsDocTags(checker)) {
    const misspelt = misspeltTag(name)
    if (misspelt !== undefined) malformed(misspelt)
    if (!isConstraint(name)) continue
    const value = withPlainLineEnds(ts.displayPartsToString(text))
    const read = readConstraint(name, value)
    if (typeof read === 'string') malformed(wrongConstraint(name, value, read))
    else Object.assign(keywords, read)
  }
  const shown = withPlainLineEnds(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
  return { description: nonEmpty([shown, ...wordsOf(symbol)].join(' ')), keywords }
}

/** Returns the words of a description that TypeScript took for tags. */
function wordsOf({ declarations = [] }: ts.Symbol): string[] {
  const tags = declarations.flatMap((declaration) =>
    ts.getJSDocCommentsAndTags(declaration).flatMap((doc) => (ts.isJSDoc(doc) ? [...(doc.tags ?? [])] : [])),
  )
  const end = tags.findIndex(startsLine)
  return tags.slice(0, end === -1 ? tags.length : end).flatMap((tag) => (isProse(tag) ? proseText(tag) : []))
}

/** Leaves only the text in a tag's own line, and returns that below. */
function splitBelow(read: Described, { tagName }: ts.JSDocTag): string {
  const after = tagName.getSourceFile().text.slice(tagName.end)
  const lines = /^[ \t]*\r?\n/.test(after) ? ['', read.text] : read.text.split('\n')
  read.text = lines[0]?.trim() ?? ''
  return lines.slice(1).join('\n').trim()
}

function describedBy(comment: ts.JSDoc['comment'], node: ts.Node): Described {
  return { text: withPlainLineEnds(ts.getTextOfJSDocComment(comment) ?? '').trim(), keywords: {}, node }
}

/** Removes the dash of `@param name - text`, or the colon that some write in its place. */
function withoutDash(read: Described): Described {
  return { ...read, text: read.text.replace(/^(?:-|[–—:](?=\s))\s*/, '') }
}

function addConstraint(
  keywords: JsonSchema,
  name: string,
  text: string,
  node: ts.Node,
  malformed: { node: ts.Node; message: string }[],
): void {
  const read = readConstraint(name, text)
  if (typeof read === 'string') malformed.push({ node, message: wrongConstraint(name, text, read) })
  else Object.assign(keywords, read)
}

function wrongConstraint(name: string, text: string, expected: string): string {
  return `@${name} has to be ${expected === 'alone' ? 'alone, without a text' : `followed by ${expected}`}; got ${JSON.stringify(text.trim())}.`
}

function entityText(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : `${entityText(name.left)}.${name.right.text}`
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim()
}
