import { ts } from 'ts-morph'
import { type DocTags, docTags } from './doc-tags.ts'
import type { Problems } from './problems.ts'
import { reportStrayTags } from './stray-tags.ts'
import { hasToolTag } from './tool-tag.ts'

/** A function with the tag `@tool`, and how to import it. */
export interface TaggedFunction {
  readonly declaration: ts.FunctionLikeDeclaration
  /** The node with the doc comment, which findings point to. */
  readonly node: ts.Node
  readonly docs: DocTags
  /** The Tool's name. */
  readonly name: string
  readonly exportName: string
  readonly method?: { readonly name: string; readonly isStatic: boolean }
}

/**
 * Finds the tagged functions of a file: exported functions, exported constants, methods of exported classes, its own or those that
 * it re-exports.
 *
 * @param isDefinition Whether a file is a definition file. The functions of one are its own, whoever re-exports them.
 */
export function taggedFunctions(
  source: ts.SourceFile,
  checker: ts.TypeChecker,
  problems: Problems,
  isDefinition: (source: ts.SourceFile) => boolean,
): TaggedFunction[] {
  const exported = exportNames(source, checker)
  const { found, looked } = taggedIn(source, exported, checker, problems)
  reportStrayTags(source, looked, problems, 'file')
  const others = new Set([...exported.keys()].map((declaration) => declaration.getSourceFile()))
  for (const other of others) {
    if (other.isDeclarationFile || isDefinition(other)) continue
    const passed = [...exportNames(other, checker)].filter(([declaration]) => exported.has(declaration))
    const there = taggedIn(other, new Map(passed), checker, problems, 'only exported')
    reportStrayTags(other, there.looked, problems, 'looked')
    found.push(...there.found)
  }
  return found
}

function taggedIn(
  source: ts.SourceFile,
  exported: ReadonlyMap<ts.Node, string>,
  checker: ts.TypeChecker,
  problems: Problems,
  which: 'all' | 'only exported' = 'all',
): { found: TaggedFunction[]; looked: ts.Node[] } {
  const found: TaggedFunction[] = []
  const looked: ts.Node[] = []
  for (const statement of source.statements) {
    for (const { node, declaration } of declaredIn(statement)) {
      const exportName = exported.get(declaration)
      if (which === 'only exported' && exportName === undefined) continue
      looked.push(node)
      if (ts.isClassLike(declaration)) {
        looked.push(...declaration.members)
        found.push(...methodsOf(declaration, exportName, checker, problems))
      } else if (isTagged(node)) {
        const tagged = functionOf(node, declaration, exportName, checker, problems)
        if (tagged) found.push(tagged)
      }
    }
  }
  return { found, looked }
}

interface Declared {
  /** The node with the doc comment. */
  readonly node: ts.Node
  /** The exported declaration. */
  readonly declaration: ts.Node
}

function declaredIn(statement: ts.Statement): Declared[] {
  if (ts.isVariableStatement(statement)) {
    const [only, ...more] = statement.declarationList.declarations
    if (only && more.length === 0) return [{ node: statement, declaration: only }]
    return statement.declarationList.declarations.map((declaration) => ({ node: declaration, declaration }))
  }
  return [{ node: statement, declaration: statement }]
}

function functionOf(
  node: ts.Node,
  declaration: ts.Node,
  exportName: string | undefined,
  checker: ts.TypeChecker,
  problems: Problems,
): TaggedFunction | undefined {
  const refuse = (what: string, fix: string): undefined => {
    problems.add('function-shape', node, what, fix)
    return undefined
  }
  const callable = callableOf(declaration)
  if (!callable) {
    return refuse(
      '@tool stands on something that is not a function.',
      'Put it on a function, or on a method of a class.',
    )
  }
  const docs = docTags(node)
  const { name: own } = declaration as { name?: ts.Node }
  const name = docs.tags.get('tool')?.text || (own && ts.isIdentifier(own) ? own.text : '')
  if (name === '') {
    return refuse(
      'A default export without a name gives its Tool none.',
      'Name the function, or write `@tool name`.',
    )
  }
  if (exportName === undefined) {
    return refuse(`The function of Tool "${name}" is not exported.`, 'Export it, or remove @tool.')
  }
  if (ts.getCombinedModifierFlags(callable as ts.Declaration) & ts.ModifierFlags.Ambient) {
    return refuse(`The function of Tool "${name}" is only declared, and has no body.`, 'Write its body.')
  }
  const constant = constantOf(callable)
  const hasOverloads =
    (ts.isFunctionDeclaration(callable) &&
      callable
        .getSourceFile()
        .statements.filter((other) => ts.isFunctionDeclaration(other) && isNamedAlike(other, callable))
        .length > 1) ||
    (constant !== undefined && checker.getTypeAtLocation(constant.name).getCallSignatures().length > 1)
  if (hasOverloads) {
    return refuse(
      `The function of Tool "${name}" has overloads, and a Tool has one signature.`,
      'Declare one signature, with unions where they differ, or a Tool for each.',
    )
  }
  return { declaration: callable, node, docs, name, exportName }
}

function isNamedAlike(left: ts.FunctionDeclaration, right: ts.FunctionDeclaration): boolean {
  return left.name !== undefined && left.name.text === right.name?.text
}

function callableOf(declaration: ts.Node): ts.FunctionLikeDeclaration | undefined {
  if (ts.isFunctionDeclaration(declaration)) return declaration
  const value = ts.isVariableDeclaration(declaration)
    ? declaration.initializer
    : ts.isExportAssignment(declaration)
      ? declaration.expression
      : undefined
  const inner = value && unwrapped(value)
  return inner && (ts.isArrowFunction(inner) || ts.isFunctionExpression(inner)) ? inner : undefined
}

/** Returns the constant that a function is the value of, if there is one. */
export function constantOf(callable: ts.FunctionLikeDeclaration): ts.VariableDeclaration | undefined {
  let value: ts.Node = callable
  while (ts.isExpression(value.parent) && unwrapped(value.parent) === callable) value = value.parent
  return ts.isVariableDeclaration(value.parent) ? value.parent : undefined
}

/** Removes parentheses and what only concerns types. */
function unwrapped(value: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value) || ts.isAsExpression(value)
  return isWrapped ? unwrapped(value.expression) : value
}

/** Reads a class as a toolkit of its tagged methods. `@tool Name` on the class names it. */
function methodsOf(
  declaration: ts.ClassLikeDeclaration,
  exportName: string | undefined,
  checker: ts.TypeChecker,
  problems: Problems,
): TaggedFunction[] {
  const methods = declaration.members.filter(isTagged)
  const onClass = isTagged(declaration) ? docTags(declaration).tags.get('tool')?.text : undefined
  if (methods.length === 0 && onClass !== undefined) {
    problems.add(
      'function-shape',
      declaration,
      '@tool stands on a class, and on none of its methods.',
      'Put @tool on each method that is a Tool.',
    )
  }
  if (methods.length === 0) return []
  const toolkit = onClass || declaration.name?.text || ''
  if (exportName === undefined || toolkit === '') {
    const what = toolkit === '' ? 'has no name' : `"${toolkit}" is not exported`
    problems.add(
      'function-shape',
      declaration,
      `The class with @tool on methods ${what}.`,
      'Export it under a name.',
    )
    return []
  }
  const isAbstract = (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0
  if (isAbstract && methods.some((method) => !isStatic(method))) {
    const what = `Class "${toolkit}" is abstract, so there is nothing to call its methods on.`
    problems.add('function-shape', declaration, what, 'Put @tool on the methods of a class that can be made.')
    return []
  }
  const made = constructorsOf(declaration, checker)
  if (made.every(isHidden) && made.length > 0 && methods.some((method) => !isStatic(method))) {
    const what = `The constructor of class "${toolkit}" is private, so nobody can make what its methods are called on.`
    problems.add('function-shape', declaration, what, 'Make the constructor public, or the methods static.')
    return []
  }
  if (made.length > 0 && made.every(needsArguments) && methods.some((method) => !isStatic(method))) {
    problems.add(
      'function-shape',
      declaration,
      `Class "${toolkit}" is made with arguments, which nobody has when its methods run as Tools.`,
      'Give the constructor defaults, make the methods static, or export functions instead.',
    )
    return []
  }
  return methods.flatMap((method) => methodTool(method, toolkit, exportName, problems))
}

function methodTool(
  method: ts.ClassElement,
  toolkit: string,
  exportName: string,
  problems: Problems,
): TaggedFunction[] {
  const refuse = (what: string, fix: string): [] => {
    problems.add('function-shape', method, what, fix)
    return []
  }
  const own = method.name && ts.isIdentifier(method.name) ? method.name.text : undefined
  if (!ts.isMethodDeclaration(method) || own === undefined) {
    return refuse('@tool stands on a member that is not a method with a plain name.', 'Put it on a method.')
  }
  if (ts.getCombinedModifierFlags(method) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) {
    return refuse(`Method "${own}" is private, and a Tool is called from outside.`, 'Make it public.')
  }
  const members: readonly (ts.ClassElement | ts.ObjectLiteralElementLike)[] = ts.isClassLike(method.parent)
    ? method.parent.members
    : method.parent.properties
  const alike = members.filter(
    (member) => member.name && ts.isIdentifier(member.name) && member.name.text === own,
  )
  if (alike.length > 1) {
    return refuse(`Method "${own}" has overloads, and a Tool has one signature.`, 'Declare one signature.')
  }
  const docs = docTags(method)
  const name = `${toolkit}.${docs.tags.get('tool')?.text || own}`
  // As with `toolkit`, the description of the class is the default for its members.
  const description = docs.description ?? docTags(method.parent).description
  return [
    {
      declaration: method,
      node: method,
      docs: { ...docs, description },
      name,
      exportName,
      method: { name: own, isStatic: isStatic(method) },
    },
  ]
}

/** The constructors that a class has, its own or those of the class that it extends. None are written for most. */
function constructorsOf(
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): ts.SignatureDeclaration[] {
  const symbol = checker.getTypeAtLocation(declaration).symbol
  return checker
    .getTypeOfSymbolAtLocation(symbol, declaration)
    .getConstructSignatures()
    .flatMap((signature) => (signature.declaration ? [signature.declaration as ts.SignatureDeclaration] : []))
    .filter((made) => ts.isConstructorDeclaration(made) || ts.isConstructSignatureDeclaration(made))
}

function isHidden(made: ts.SignatureDeclaration): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  return (ts.getCombinedModifierFlags(made) & hidden) !== 0
}

function needsArguments({ parameters }: ts.SignatureDeclaration): boolean {
  return parameters.some(
    ({ initializer, questionToken, dotDotDotToken }) => !initializer && !questionToken && !dotDotDotToken,
  )
}

function isStatic(member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0
}

/** Whether a declaration has the tag. TypeScript also sees one within a line, which is reported instead. */
function isTagged(node: ts.Node): boolean {
  return ts
    .getJSDocCommentsAndTags(node)
    .some((doc) => ts.isJSDoc(doc) && hasToolTag(doc.getSourceFile().text.slice(doc.pos, doc.end)))
}

/**
 * Maps declarations to the names under which a file exports them, including `export { a as b }`, re-exports, and those in a
 * namespace (`export * as all`).
 */
export function exportNames(source: ts.SourceFile, checker: ts.TypeChecker): Map<ts.Node, string> {
  const names = new Map<ts.Node, string>()
  const module = checker.getSymbolAtLocation(source)
  const modules = new Set(module && [module])
  // The loop also visits the modules that it adds.
  for (const each of modules) {
    for (const symbol of checker.getExportsOfModule(each)) {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      if (target.declarations?.some(ts.isSourceFile)) modules.add(target)
      for (const declaration of target.declarations ?? []) {
        // Prefer a name over `default` if it has both.
        if (symbol.name !== 'default' || !names.has(declaration)) names.set(declaration, symbol.name)
      }
    }
  }
  return names
}
