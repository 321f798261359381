import ts from 'typescript-6.0'

/**
 * What a file does, without what it says: its syntax tree without comments, and with every literal and every name of a
 * member replaced by its kind. Two files of one skeleton differ in data and comments alone.
 */
export function skeleton(text: string): string {
  const file = ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest, false)
  const visit = (node: ts.Node): string => {
    if (ts.isIdentifier(node)) return node.text
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return "''"
    if (ts.isNumericLiteral(node)) return '0'
    // A key is quoted or not as its spelling needs; both are data.
    if (isPropertyAccess(node)) return `[${visit(node.expression)} of ${node.questionDotToken ? '?.' : ''}'']`
    const children: string[] = []
    node.forEachChild((child) => {
      children.push(isKey(node, child) ? "''" : visit(child))
    })
    return `${ts.SyntaxKind[node.kind]}(${children.join(' ')})`
  }
  return visit(file)
}

function isPropertyAccess(node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  return (
    ts.isPropertyAccessExpression(node) ||
    (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
  )
}

/** Names of members, which a definition may choose: of objects, of interfaces. */
function isKey(parent: ts.Node, child: ts.Node): boolean {
  const isNamed = ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)
  return isNamed && parent.name === child && !ts.isComputedPropertyName(parent.name)
}

/** Every identifier of a file, keys and members included. */
export function identifiers(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text)
    node.forEachChild(visit)
  }
  visit(ts.createSourceFile('generated.ts', text, ts.ScriptTarget.Latest))
  return found
}
