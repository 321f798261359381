import { ts } from 'ts-morph'

/** A statement that may pass on what another file exports: `export … from`, or an import beside a list of exports. */
type Passing = ts.ExportDeclaration | ts.ImportDeclaration

/**
 * Finds the statements by which a file, or one that it re-exports from, passes on what the compiler cannot find. Esbuild finds some
 * that the compiler does not, such as a path without its extension.
 */
export function unresolvedReexports(source: ts.SourceFile, checker: ts.TypeChecker): ts.Statement[] {
  const files = new Set([source])
  const unresolved: ts.Statement[] = []
  // The loop also visits the files that it adds.
  for (const file of files) {
    for (const statement of passing(file)) {
      const module = statement.moduleSpecifier && checker.getSymbolAtLocation(statement.moduleSpecifier)
      if (!module) unresolved.push(statement)
      const [target] = module?.declarations ?? []
      if (target && ts.isSourceFile(target) && !target.isDeclarationFile) files.add(target)
    }
  }
  return unresolved
}

function passing({ statements }: ts.SourceFile): Passing[] {
  const hasList = statements.some((each) => ts.isExportDeclaration(each) && !each.moduleSpecifier)
  return statements.filter((each): each is Passing => {
    if (ts.isImportDeclaration(each)) return hasList && each.importClause?.isTypeOnly === false
    return ts.isExportDeclaration(each) && each.moduleSpecifier !== undefined && !each.isTypeOnly
  })
}
