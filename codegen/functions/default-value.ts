import { ts } from 'ts-morph'

/** Returns the value of an initialiser that is a JSON literal; undefined for one that has to be run. */
export function literalValue(node: ts.Expression, checker: ts.TypeChecker): unknown {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
    return literalValue(node.expression, checker)
  }
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (node.kind === ts.SyntaxKind.NullKeyword) return null
  if (ts.isPrefixUnaryExpression(node)) return negated(node)
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const type = checker.getTypeAtLocation(node)
    return type.isStringLiteral() || type.isNumberLiteral() ? type.value : undefined
  }
  if (ts.isArrayLiteralExpression(node)) return listValue(node, checker)
  return ts.isObjectLiteralExpression(node) ? objectValue(node, checker) : undefined
}

function negated({ operator, operand }: ts.PrefixUnaryExpression): unknown {
  return operator === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(operand)
    ? -Number(operand.text)
    : undefined
}

function listValue(node: ts.ArrayLiteralExpression, checker: ts.TypeChecker): unknown {
  const items = node.elements.map((element) => literalValue(element, checker))
  return items.includes(undefined) ? undefined : items
}

function objectValue(node: ts.ObjectLiteralExpression, checker: ts.TypeChecker): unknown {
  const entries: [string, unknown][] = []
  for (const property of node.properties) {
    const named = ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name)
    const value = named ? literalValue(property.initializer, checker) : undefined
    if (!named || value === undefined) return undefined
    entries.push([property.name.text, value])
  }
  return Object.fromEntries(entries)
}
