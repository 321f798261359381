import { ts } from 'ts-morph'
import { withPlainLineEnds } from './line-ends.ts'
import { templatePattern } from './template-pattern.ts'

/** The kind of a type, as far as it matters for JSON. */
export type TypeKind =
  | { readonly is: 'any' | 'unknown' | 'date' | 'anyObject' }
  | { readonly is: 'refused'; readonly what: string; readonly fix: string }
  | { readonly is: 'scalar'; readonly type: 'string' | 'number' | 'boolean' | 'null' }
  | { readonly is: 'literal'; readonly value: string | number | boolean; readonly isEnum: boolean }
  | { readonly is: 'template'; readonly type: ts.TemplateLiteralType }
  | { readonly is: 'branded'; readonly base: ts.Type }
  | { readonly is: 'union'; readonly parts: readonly ts.Type[] }
  /** The constraint of a type parameter or deferred type. */
  | { readonly is: 'constraint'; readonly type: ts.Type }
  | { readonly is: 'list'; readonly item: ts.Type; readonly isReadonly: boolean }
  | {
      readonly is: 'tuple'
      readonly items: readonly ts.Type[]
      readonly required: number
      readonly rest: ts.Type | undefined
      readonly isReadonly: boolean
      /** The doc comments of named items. */
      readonly descriptions: readonly (string | undefined)[]
    }
  | {
      readonly is: 'object'
      /** The type of free keys. */
      readonly index: ts.Type | undefined
      /** The types of keys that have to match a pattern. */
      readonly patterns: readonly { readonly pattern: string; readonly type: ts.Type }[]
      /** Whether JSON's type for it is wider (keys that only numbers or some texts may be), or returned values need the cast. */
      readonly isNarrower: boolean
    }

const { TypeFlags } = ts

/** Types by flag, in the order of the checks. */
const byFlag: readonly (readonly [number, TypeKind])[] = [
  [TypeFlags.Any, { is: 'any' }],
  [TypeFlags.Unknown, { is: 'unknown' }],
  [TypeFlags.Never, refused('never, which no value has', 'Correct the type.')],
  [
    TypeFlags.BigIntLike,
    refused('a bigint has no JSON form', 'Use number, or a text with `@pattern ^-?\\d+$`.'),
  ],
  [TypeFlags.ESSymbolLike, refused('a symbol has no JSON form', 'Use a text.')],
  [
    TypeFlags.Undefined | TypeFlags.Void,
    refused('undefined has no JSON form', 'Use null, or make the member optional.'),
  ],
  [TypeFlags.Null, { is: 'scalar', type: 'null' }],
]

const plainScalars: readonly (readonly [number, TypeKind])[] = [
  [TypeFlags.String, { is: 'scalar', type: 'string' }],
  [TypeFlags.Number, { is: 'scalar', type: 'number' }],
  [TypeFlags.Boolean, { is: 'scalar', type: 'boolean' }],
  [TypeFlags.NonPrimitive, { is: 'anyObject' }],
]

/** Returns the kind of a type. */
export function kindOf(type: ts.Type, checker: ts.TypeChecker): TypeKind {
  const flagged = byFlag.find(([flags]) => type.flags & flags)
  if (flagged) return flagged[1]
  if (type.flags & TypeFlags.StringMapping) return { is: 'branded', base: checker.getStringType() }
  // A member of an enum whose value is computed.
  if (type.flags & TypeFlags.Enum) return { is: 'branded', base: checker.getNumberType() }
  const scalar = plainScalars.find(([flags]) => type.flags & flags)
  if (scalar) return scalar[1]
  if (type.flags & TypeFlags.BooleanLiteral) {
    return { is: 'literal', value: checker.typeToString(type) === 'true', isEnum: false }
  }
  if (type.isStringLiteral() || type.isNumberLiteral()) {
    return { is: 'literal', value: type.value, isEnum: (type.flags & TypeFlags.EnumLiteral) !== 0 }
  }
  if (type.flags & TypeFlags.TemplateLiteral) return { is: 'template', type: type as ts.TemplateLiteralType }
  if (type.isUnion()) return { is: 'union', parts: type.types }
  if (type.flags & TypeFlags.Instantiable) return constraintKind(type, checker)
  if (type.isIntersection()) return intersectionKind(type, checker)
  return objectKind(type, checker)
}

function constraintKind(type: ts.Type, checker: ts.TypeChecker): TypeKind {
  const constraint = checker.getBaseConstraintOfType(type)
  return constraint && constraint !== type ? { is: 'constraint', type: constraint } : { is: 'unknown' }
}

/** `string & { brand }` is a string to JSON, and so are lists and built-in objects; an intersection of objects is one object. */
function intersectionKind(type: ts.IntersectionType, checker: ts.TypeChecker): TypeKind {
  const isWhole = (part: ts.Type): boolean =>
    !(part.flags & (TypeFlags.Object | TypeFlags.Instantiable)) ||
    checker.isArrayType(part) ||
    checker.isTupleType(part) ||
    isBuiltIn(part)
  const base = type.types.find(isWhole)
  return base ? { is: 'branded', base } : objectKind(type, checker)
}

function objectKind(type: ts.Type, checker: ts.TypeChecker): TypeKind {
  if (checker.isArrayType(type)) {
    const [item = checker.getUnknownType()] = checker.getTypeArguments(type as ts.TypeReference)
    return { is: 'list', item, isReadonly: type.symbol.name === 'ReadonlyArray' }
  }
  if (checker.isTupleType(type)) return tupleKind(type as ts.TupleTypeReference, checker)
  const refusal = whyRefused(type, checker)
  if (refusal) return refusal
  if (checker.getPropertiesOfType(type).some(isOfScalar)) {
    return refused(
      'a mapped type makes an object with methods of a branded text or number',
      'Leave texts and numbers as they are: T extends string | number | boolean ? T : …',
    )
  }
  if (isBuiltIn(type) && type.symbol.name === 'Date') return { is: 'date' }
  const index = checker.getIndexInfosOfType(type)
  const isEmpty = index.length === 0 && checker.getPropertiesOfType(type).length === 0
  const isText = ({ keyType }: ts.IndexInfo): boolean => (keyType.flags & TypeFlags.String) !== 0
  if (isEmpty && hasOpenKeys(type, checker)) {
    return refused(
      'the keys of the object are a type parameter',
      'Name its members, or use Record<string, …>.',
    )
  }
  if (isEmpty && !type.isClassOrInterface()) return { is: 'anyObject' }
  const free = index.filter(
    ({ keyType }) => !(keyType.flags & (TypeFlags.ESSymbol | TypeFlags.TemplateLiteral)),
  )
  return {
    is: 'object',
    index: (free.find(isText) ?? free[0])?.type,
    patterns: index.flatMap(({ keyType, type }) =>
      keyType.flags & TypeFlags.TemplateLiteral
        ? { pattern: templatePattern(keyType as ts.TemplateLiteralType), type }
        : [],
    ),
    isNarrower: isEmpty || !index.every(isText),
  }
}

/** Whether a mapped type has no members because a type parameter names them, as in `Record<Key, number>`. */
function hasOpenKeys(type: ts.Type, checker: ts.TypeChecker): boolean {
  const [declaration] = type.symbol?.declarations ?? []
  if (!declaration || !ts.isMappedTypeNode(declaration)) return false
  const { constraint } = declaration.typeParameter
  // What maps the members of a type parameter has any members.
  if (!constraint || ts.isTypeOperatorNode(constraint)) return false
  const given = type.aliasTypeArguments ?? [checker.getTypeAtLocation(constraint)]
  return given.some(({ flags }) => flags & TypeFlags.Instantiable)
}

function tupleKind(type: ts.TupleTypeReference, checker: ts.TypeChecker): TypeKind {
  const { elementFlags, readonly: isReadonly } = type.target
  const types = checker.getTypeArguments(type)
  const restAt = elementFlags.findIndex((flag) => flag & ts.ElementFlags.Variable)
  const isLast = restAt === -1 || restAt === elementFlags.length - 1
  if (!isLast) {
    return refused(
      'a tuple with items after its rest has no JSON Schema',
      'Put the rest last, or use an object.',
    )
  }
  return {
    is: 'tuple',
    items: restAt === -1 ? types : types.slice(0, restAt),
    required: elementFlags.filter((flag) => flag & ts.ElementFlags.Required).length,
    rest: restAt === -1 ? undefined : types[restAt],
    isReadonly,
    descriptions: (type.target.labeledElementDeclarations ?? []).map(
      (label) => label && itemDescription(label),
    ),
  }
}

/**
 * Returns the doc comment before a named item. Read from the text, since the compiler drops a comment that begins on the line
 * of the bracket.
 */
function itemDescription(label: ts.NamedTupleMember | ts.ParameterDeclaration): string | undefined {
  const [, comment] = /^\s*\/\*\*([\s\S]*?)\*\//.exec(withPlainLineEnds(label.getFullText())) ?? []
  return comment?.replaceAll(/^\s*\* ?/gm, '').trim() || undefined
}

function whyRefused(type: ts.Type, checker: ts.TypeChecker): TypeKind | undefined {
  const isFunction = type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0
  if (isFunction) return refused('a function has no JSON form', 'Take it out of the signature.')
  const { symbol } = type
  if (!symbol) return undefined
  const name = checker.typeToString(type)
  if (symbol.flags & ts.SymbolFlags.Class) {
    return refused(`${name} is a class, whose instances have no JSON form`, 'Use an interface of its data.')
  }
  if (isBuiltIn(type) && symbol.name !== 'Date' && !(symbol.flags & ts.SymbolFlags.TypeLiteral)) {
    const fix =
      symbol.name === 'AbortSignal'
        ? 'Take it as a parameter of its own, or as a member of the only parameter.'
        : 'Use an array, or an object with plain data.'
    return refused(`${name} has no JSON form`, fix)
  }
  return undefined
}

/** Whether a type is an interface of the language or the platform. Mapped types such as `Record` have no symbol name. */
function isBuiltIn(type: ts.Type): boolean {
  const { symbol } = type
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))) return false
  const declarations = symbol.declarations ?? []
  return declarations.some((declaration) => isPlatformFile(declaration.getSourceFile().fileName))
}

/** Whether a member is one of the objects that wrap texts, numbers and booleans. */
function isOfScalar({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    ({ parent }) =>
      ts.isInterfaceDeclaration(parent) &&
      scalarObjects.has(parent.name.text) &&
      isPlatformFile(parent.getSourceFile().fileName),
  )
}

const scalarObjects: ReadonlySet<string> = new Set(['String', 'Number', 'Boolean'])

/** Whether a symbol is declared by the platform or a package, and nowhere in the project. */
export function isFromOutside({ declarations = [] }: ts.Symbol): boolean {
  return declarations.every((declaration) => {
    const { fileName } = declaration.getSourceFile()
    return isPlatformFile(fileName) || fileName.includes('/node_modules/')
  })
}

/** Whether a file belongs to TypeScript's libraries, Node's types, or the stubs that replace them. */
export function isPlatformFile(path: string): boolean {
  return /(?:^|\/)(?:lib\.[\w.]+\.d\.ts|node_modules\/@types\/node\/.*|callsheet-platform\.d\.ts)$/.test(path)
}

function refused(what: string, fix: string): TypeKind {
  return { is: 'refused', what, fix }
}
