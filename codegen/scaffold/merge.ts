import { Project, ts } from 'ts-morph'
import { stringLiteral } from '../print/literal.ts'
import type { ExpectedActivity } from './expected-activities.ts'
import { registration } from './stub.ts'

/** How the file to insert into reaches the set's `Activity`. */
export interface MergeImport {
  /** The specifier of the generated `index.ts`. */
  readonly index: string
  /** Whether an `Activity` that is imported from a module is another set's. */
  readonly isOther: (specifier: string) => boolean
}

/** Inserts the missing registrations into a file; undefined if it has syntax errors. */
export function mergeRegistrations(
  text: string,
  missing: readonly ExpectedActivity[],
  { index, isOther }: MergeImport,
): string | undefined {
  // The compiler drops the byte order mark, and its offsets do not count it.
  const mark = /^\uFEFF?/.exec(text)?.[0] ?? ''
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { allowJs: true } })
  const source = project.createSourceFile('activities.tsx', text).compilerNode
  if (hasSyntaxErrors(source)) return undefined
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
  const imported = importedActivity(source, isOther)
  const name = imported ?? freeName(source)
  const statements = missing.map((activity) => registration(activity, name).replaceAll('\n', lineEnd))
  const inserts = [
    ...(imported === undefined ? [importInsert(source, name, index, lineEnd)] : []),
    registrationInsert(source, name, statements, lineEnd),
  ]
  return mark + withInserts(text.slice(mark.length), inserts)
}

interface Insert {
  readonly at: number
  readonly text: string
}

/** Applies the insertions. Never removes or reorders existing text. */
function withInserts(text: string, inserts: readonly Insert[]): string {
  let result = text
  // From last to first, so that earlier offsets stay valid; insertions at one offset keep their order.
  for (const { at, text: added } of [...inserts].reverse().sort((left, right) => right.at - left.at)) {
    result = result.slice(0, at) + added + result.slice(at)
  }
  return result
}

/** Finds the insertion point: after the last registration at the top level, else at the end. */
function registrationInsert(
  source: ts.SourceFile,
  activity: string,
  statements: readonly string[],
  lineEnd: string,
): Insert {
  const last = source.statements.filter((statement) => isRegistration(statement, activity)).at(-1)
  if (!last) {
    const isAfterLine = isClosed(source) || source.statements.length === 0
    return {
      at: source.text.length,
      text: `${isAfterLine ? '' : lineEnd}${lineEnd}${statements.join(lineEnd)}`,
    }
  }
  const at = lineEndAfter(source.text, last.getEnd())
  const before = source.text.slice(0, at).endsWith('\n') ? '' : lineEnd
  return { at, text: `${before}${lineEnd}${statements.join(lineEnd)}` }
}

function isClosed({ text }: ts.SourceFile): boolean {
  return text === '' || text.endsWith('\n')
}

/** Returns where a statement's line ends, so that a trailing comment stays with it; a next statement on the line does not. */
function lineEndAfter(text: string, statementEnd: number): number {
  const comments = ts.getTrailingCommentRanges(text, statementEnd) ?? []
  const end = comments.at(-1)?.end ?? statementEnd
  const [rest = ''] = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end)) ?? []
  return end + rest.length
}

function importInsert(source: ts.SourceFile, name: string, from: string, lineEnd: string): Insert {
  const last = source.statements.filter(ts.isImportDeclaration).at(-1) ?? lastDirective(source)
  const binding = name === 'Activity' ? name : `Activity as ${name}`
  const text = `import { ${binding} } from ${stringLiteral(from)}${lineEnd}`
  const [first] = source.statements
  if (!last && first) return { at: first.getStart(source), text: `${text}${lineEnd}` }
  // The registration brings its own blank line.
  if (!last) return { at: source.text.length, text: isClosed(source) ? text : lineEnd + text }
  const at = lineEndAfter(source.text, last.getEnd())
  return { at, text: source.text.slice(0, at).endsWith('\n') ? text : lineEnd + text }
}

/** Returns the last directive at the start of a file, such as `'use server'`, which has an effect only there. */
function lastDirective({ statements }: ts.SourceFile): ts.Statement | undefined {
  const end = statements.findIndex(
    (statement) => !ts.isExpressionStatement(statement) || !ts.isStringLiteral(statement.expression),
  )
  return (end === -1 ? statements : statements.slice(0, end)).at(-1)
}

/** Returns the name under which a file imports the set's `Activity`. */
function importedActivity(source: ts.SourceFile, isOther: MergeImport['isOther']): string | undefined {
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly) continue
    if (ts.isStringLiteral(statement.moduleSpecifier) && isOther(statement.moduleSpecifier.text)) continue
    const bindings = statement.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) continue
    const found = bindings.elements.find(
      ({ name, propertyName, isTypeOnly }) => !isTypeOnly && (propertyName ?? name).text === 'Activity',
    )
    if (found) return found.name.text
  }
  return undefined
}

/** Returns `Activity`, or a variant if the file uses that name for something else. */
function freeName(source: ts.SourceFile): string {
  let name = 'Activity'
  while (new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(source.text)) name = `generated${name}`
  return name
}

function isRegistration(statement: ts.Statement, activity: string): boolean {
  if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return false
  const { expression } = statement.expression
  return (
    ts.isPropertyAccessExpression(expression) &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === activity &&
    expression.name.text === 'register'
  )
}

function hasSyntaxErrors(source: ts.SourceFile): boolean {
  // The parser stores its diagnostics on the file; asking a program for them would load the library.
  const { parseDiagnostics = [] } = source as unknown as { parseDiagnostics?: readonly unknown[] }
  return parseDiagnostics.length > 0
}
