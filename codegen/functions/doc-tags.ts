import { ts } from 'ts-morph'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { isConstraint, readConstraint } from './constraints.ts'

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
  /** The text of each other tag: `@tool weather.check`. */
  readonly tags: ReadonlyMap<string, { readonly text: string; readonly node: ts.Node }>
  /** By the name in `@param`: `limit`, `where.folder`. In source order. */
  readonly parameters: ReadonlyMap<string, Said>
  readonly returns: Said | undefined
  /** Tags with invalid text. */
  readonly malformed: readonly { readonly node: ts.Node; readonly message: string }[]
}

/** Reads the doc comment of a declaration. Constraint tags that follow a `@param` or `@returns` belong to it. */
export function docTags(declaration: ts.Node): DocTags {
  const comment = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc).at(-1)
  const tags = new Map<string, { text: string; node: ts.Node }>()
  const parameters = new Map<string, Said>()
  const malformed: { node: ts.Node; message: string }[] = []
  let returns: Described | undefined
  let current: Described | undefined
  for (const tag of comment?.tags ?? []) {
    const name = tag.tagName.text
    const text = commentText(tag.comment)
    if (ts.isJSDocParameterTag(tag)) {
      current = said(text, tag, malformed)
      parameters.set(entityText(tag.name), current)
    } else if (name === 'returns' || name === 'return') {
      // Several `@returns` are joined: each may describe a member.
      current = said(text, tag, malformed)
      if (returns) current.text = `${returns.text}\n${current.text}`
      if (returns) Object.assign(current.keywords, { ...returns.keywords, ...current.keywords })
      returns = current
    } else if (current !== undefined && isConstraint(name)) {
      addConstraint(current.keywords, name, text, tag, malformed)
    } else tags.set(name, { text, node: tag })
  }
  return { description: nonEmpty(commentText(comment?.comment)), tags, parameters, returns, malformed }
}

/** Reads the doc comment of a member or a type: its text and its constraints. */
export function memberDocs(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  malformed: (message: string) => void,
): { readonly description: string | undefined; readonly keywords: JsonSchema } {
  const keywords: JsonSchema = {}
  for (const { name, text } of symbol.getJsDocTags(checker)) {
    if (!isConstraint(name)) continue
    const value = withPlainLineEnds(ts.displayPartsToString(text))
    const read = readConstraint(name, value)
    if (typeof read === 'string') malformed(wrongConstraint(name, value, read))
    else Object.assign(keywords, read)
  }
  return {
    description: nonEmpty(
      withPlainLineEnds(ts.displayPartsToString(symbol.getDocumentationComment(checker))),
    ),
    keywords,
  }
}

/** Splits a text from the constraints in it: `How many. @minimum 1 @maximum 9`. */
function said(text: string, node: ts.Node, malformed: { node: ts.Node; message: string }[]): Described {
  const [words = '', ...marks] = text.split(/(?:^|\s)(?=@[a-zA-Z]+\b)/)
  const keywords: JsonSchema = {}
  const kept = [words]
  for (const mark of marks) {
    const [, name = '', value = ''] = /^@([a-zA-Z]+)\s*([\s\S]*)$/.exec(mark) ?? []
    if (isConstraint(name)) addConstraint(keywords, name, value, node, malformed)
    else kept.push(mark)
  }
  return { text: kept.join(' ').replace(/^-\s*/, '').trim(), keywords, node }
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

function commentText(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return withPlainLineEnds(ts.getTextOfJSDocComment(comment) ?? '').trim()
}

/** Normalises Windows line ends, which the compiler keeps in comments. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function entityText(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : `${entityText(name.left)}.${name.right.text}`
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim()
}
