import { ts } from 'ts-morph'
import type { Argument, PassedValue } from '../function-implementation.ts'
import { isInheritedName } from '../names/inherited-name.ts'
import { literalValue } from './default-value.ts'
import type { Problems } from './problems.ts'
import type { TaggedFunction } from './tagged-functions.ts'
import { isFromOutside, kindOf } from './type-kind.ts'
import {
  isAlwaysAbsent,
  isNamed,
  mayBeUndefined,
  membersConversion,
  type ReadMember,
  type TypeReader,
  withoutUndefined,
} from './type-reader.ts'

/** The parameters of a Tool, and the arguments of its function. */
export interface ReadArguments {
  readonly members: readonly ReadMember[]
  readonly list: readonly Argument[]
}

/** Reads a function's parameters: each of them, or the members of its single object parameter. */
export function readArguments(tagged: TaggedFunction, reader: TypeReader, problems: Problems): ReadArguments {
  const parameters = tagged.declaration.parameters.filter((parameter) => !isThis(parameter))
  refuseThis(tagged, reader.checker, problems)
  const typed = parameters.map((parameter) => ({
    parameter,
    type: withoutParameters(reader.checker.getTypeAtLocation(parameter), reader.checker),
  }))
  const values = typed.filter(({ type }) => !isSignal(type))
  const [only, ...more] = values
  const whole = only && more.length === 0 && isOneObject(only.parameter, only.type, reader.checker)
  const members: ReadMember[] = []
  const list = typed.map(({ parameter, type }): Argument => {
    if (isSignal(type)) return { from: 'signal' }
    if (whole) {
      const read = readObject(parameter, type, tagged, reader)
      members.push(...read.members)
      return read.argument
    }
    const member = readParameter(parameter, type, tagged, reader, problems)
    members.push(member)
    const { name, isOptional } = member
    return {
      from: 'parameter',
      name,
      isOptional,
      isRest: parameter.dotDotDotToken !== undefined,
      value: passedOf(member),
    }
  })
  return { members, list }
}

function readParameter(
  parameter: ts.ParameterDeclaration,
  type: ts.Type,
  tagged: TaggedFunction,
  reader: TypeReader,
  problems: Problems,
): ReadMember {
  const name = ts.isIdentifier(parameter.name) ? parameter.name.text : nameByPosition(parameter, tagged)
  if (name === undefined) {
    problems.add(
      'function-shape',
      parameter,
      `Tool "${tagged.name}": a destructured parameter has no name.`,
      'Name it by its place with @param, or take one object with all parameters.',
      tagged.name,
    )
  }
  const shown = `Tool "${tagged.name}", parameter ${name ?? parameter.name.getText()}`
  const site = { node: parameter, path: shown }
  const { schema, ...passed } = reader.read(withoutUndefined(type, reader.checker), site)
  const value = parameter.initializer && literalValue(parameter.initializer, reader.checker)
  const isOptional =
    parameter.initializer !== undefined ||
    parameter.questionToken !== undefined ||
    (parameter.dotDotDotToken !== undefined && !needsItems(type, reader.checker)) ||
    mayBeUndefined(type)
  if (isOptional) reader.refuseInheritedDate(name ?? '', passed, site)
  return {
    ...passed,
    isNarrower: passed.isNarrower || (isOptional && isInheritedName(name ?? '')),
    name: name ?? '',
    isOptional,
    schema: value === undefined ? schema : { ...schema, default: value },
  }
}

/** Whether a rest parameter is a tuple with required items, as in `...[key, value]: [string, number?]`. */
function needsItems(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.every((part) => needsItems(part, checker))
  const given = checker.getBaseConstraintOfType(type) ?? type
  return checker.isTupleType(given) && (given as ts.TupleTypeReference).target.minLength > 0
}

/** Returns the `@param` name of a destructured parameter, by its position. */
function nameByPosition(
  parameter: ts.ParameterDeclaration,
  { declaration, docs }: TaggedFunction,
): string | undefined {
  const names = [...docs.parameters.keys()].filter((name) => !name.includes('.'))
  return names[declaration.parameters.indexOf(parameter)]
}

function readObject(
  parameter: ts.ParameterDeclaration,
  type: ts.Type,
  tagged: TaggedFunction,
  reader: TypeReader,
): { members: ReadMember[]; argument: Argument } {
  const { checker } = reader
  const given = withoutUndefined(type, checker)
  const defaults = bindingDefaults(parameter, checker)
  const members: ReadMember[] = []
  const signals: string[] = []
  for (const property of checker.getPropertiesOfType(given).filter(isNamed)) {
    const node = property.valueDeclaration ?? parameter
    const propertyType = checker.getTypeOfSymbolAtLocation(property, parameter)
    if (isAlwaysAbsent(property, propertyType)) continue
    if (isSignal(propertyType)) {
      signals.push(property.name)
      continue
    }
    const path = `Tool "${tagged.name}", parameter ${property.name}`
    const member = reader.member(property, propertyType, { node, path })
    const value = defaults.get(property.name)
    members.push(
      value === undefined
        ? member
        : { ...member, isOptional: true, schema: withDefault(member.schema, value) },
    )
  }
  const isNarrower = members.some((member) => member.isNarrower)
  const value: PassedValue = { isNarrower, ...membersConversion(members) }
  return { members, argument: { from: 'parameters', value, signals } }
}

function withDefault(schema: ReadMember['schema'], value: unknown): ReadMember['schema'] {
  return value === computed ? schema : { ...schema, default: value }
}

/** Marks a computed default: the parameter is optional, but its default is not recorded. */
const computed = Symbol('computed')

/** Reads the defaults of destructured members, by name: `({ limit = 20 }: Options)`. */
function bindingDefaults(parameter: ts.ParameterDeclaration, checker: ts.TypeChecker): Map<string, unknown> {
  const defaults = new Map<string, unknown>()
  if (!ts.isObjectBindingPattern(parameter.name)) return defaults
  for (const { name, propertyName, initializer } of parameter.name.elements) {
    const key = propertyName ?? name
    if (!initializer || !(ts.isIdentifier(key) || ts.isStringLiteral(key))) continue
    defaults.set(key.text, literalValue(initializer, checker) ?? computed)
  }
  return defaults
}

/** Whether a parameter is the single object whose members are the Tool's parameters. */
function isOneObject(parameter: ts.ParameterDeclaration, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (parameter.dotDotDotToken) return false
  const given = withoutUndefined(type, checker)
  const kind = kindOf(given, checker)
  if (kind.is !== 'object' || kind.index !== undefined || kind.patterns.length > 0) return false
  const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined
  const needsMembers = checker
    .getPropertiesOfType(given)
    .some((property) => !(property.flags & ts.SymbolFlags.Optional))
  return !(isOptional && needsMembers && !ts.isObjectBindingPattern(parameter.name))
}

/** Replaces a type parameter by its constraint. */
function withoutParameters(type: ts.Type, checker: ts.TypeChecker): ts.Type {
  const parts = type.isUnion() ? type.types : [type]
  const isParameter = parts.some((part) => part.flags & ts.TypeFlags.InstantiableNonPrimitive)
  return (isParameter && checker.getBaseConstraintOfType(type)) || type
}

/** Whether a type is `AbortSignal`, which comes from the run instead of the Call. */
function isSignal(type: ts.Type): boolean {
  if (type.isUnion()) {
    const parts = type.types.filter((part) => !(part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)))
    return parts.length === 1 && parts[0] !== undefined && isSignal(parts[0])
  }
  // Not a type of the project that has this name.
  return type.symbol?.name === 'AbortSignal' && isFromOutside(type.symbol)
}

/** A function that is called alone has no `this`; a method gets its class's object. */
function refuseThis(
  { declaration, name }: TaggedFunction,
  checker: ts.TypeChecker,
  problems: Problems,
): void {
  const given = declaration.parameters.find(isThis)
  if (!given || ts.isClassLike(declaration.parent)) return
  const none = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Unknown | ts.TypeFlags.Any
  if (checker.getTypeAtLocation(given).flags & none) return
  problems.add(
    'function-shape',
    given,
    `Tool "${name}": the function needs a \`this\`, and is called without one.`,
    'Make it a method of a tagged class, or leave `this` out.',
    name,
  )
}

function isThis(parameter: ts.ParameterDeclaration): boolean {
  return ts.isIdentifier(parameter.name) && parameter.name.text === 'this'
}

function passedOf({ conversion, isNarrower }: ReadMember): PassedValue {
  return conversion ? { conversion, isNarrower } : { isNarrower }
}
