import { ts } from 'ts-morph'

/** A statement that may pass on what another file exports: `export … from`, or an import beside a list of exports. */
type Passing = ts.ExportDeclaration | ts.ImportDeclaration

/**
 * Finds the statements by which a file, or one that it re-exports from, passes on what the compiler cannot find. A file that is not
 * run has no other check, and esbuild finds some modules that the compiler does not.
 */
export function unresolvedReexports(source: ts.SourceFile, checker: ts.TypeChecker): ts.Statement[] {
  return reexportedFiles(source, checker).flatMap((file) =>
    passing(file).filter((statement) => {
      const module = moduleOf(statement, checker)
      return !module || namesOf(statement).some((name) => isUnknown(name, checker))
    }),
  )
}

/** Returns a file, and every other whose exports it passes on. */
export function reexportedFiles(source: ts.SourceFile, checker: ts.TypeChecker): ts.SourceFile[] {
  const files = new Set([source])
  // The loop also visits the files that it adds.
  for (const file of files) {
    for (const statement of passing(file)) {
      const [target] = moduleOf(statement, checker)?.declarations ?? []
      if (target && ts.isSourceFile(target) && !target.isDeclarationFile) files.add(target)
    }
  }
  return [...files]
}

function moduleOf({ moduleSpecifier }: Passing, checker: ts.TypeChecker): ts.Symbol | undefined {
  return moduleSpecifier && checker.getSymbolAtLocation(moduleSpecifier)
}

/** Returns the names that a statement exports, or imports to be exported. */
function namesOf(statement: Passing): readonly ts.Node[] {
  const bindings = ts.isImportDeclaration(statement)
    ? statement.importClause?.namedBindings
    : statement.exportClause
  const isList = bindings && (ts.isNamedExports(bindings) || ts.isNamedImports(bindings))
  return isList ? bindings.elements.map(({ name }) => name) : []
}

function isUnknown(name: ts.Node, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(name)
  const isAlias = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0
  return isAlias === true && checker.getAliasedSymbol(symbol).declarations === undefined
}

function passing({ statements }: ts.SourceFile): Passing[] {
  const hasList = statements.some((each) => ts.isExportDeclaration(each) && !each.moduleSpecifier)
  return statements.filter((each): each is Passing => {
    if (ts.isImportDeclaration(each)) return hasList && each.importClause?.isTypeOnly === false
    return ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined && !each.isTypeOnly
  })
}
