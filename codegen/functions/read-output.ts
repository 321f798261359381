import { ts } from 'ts-morph'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import type { ReturnedValue } from '../function-implementation.ts'
import type { Said } from './doc-tags.ts'
import { constantOf } from './tagged-functions.ts'
import { described, mayBeUndefined, type TypeReader } from './type-reader.ts'

/** A Tool's `_output`; without a schema the function returns nothing. */
export interface ReadOutput {
  readonly schema: JsonSchema | undefined
  readonly value: ReturnedValue
}

const { TypeFlags } = ts

/** Reads a function's return type: the type inside the Promise, described by `@returns`. */
export function readOutput(
  declaration: ts.FunctionLikeDeclaration,
  returns: Said | undefined,
  tool: string,
  reader: TypeReader,
): ReadOutput {
  const { checker } = reader
  const signature = signatureOf(declaration, checker)
  const returned = signature ? checker.getReturnTypeOfSignature(signature) : checker.getAnyType()
  const type = checker.getAwaitedType(returned) ?? returned
  const nested = isNested(returned, checker) ? { isNested: true as const } : {}
  if (type.flags & (TypeFlags.Void | TypeFlags.Undefined))
    return { schema: undefined, value: { isNarrower: false, ...nested } }

  const node = declaration.type ?? declaration.name ?? declaration
  const site = { node, path: `Tool "${tool}", what it returns` }
  if (mayBeUndefined(type)) {
    reader.refuse(
      site,
      'undefined beside other values, which JSON has no form for',
      'Return null in its place.',
    )
  }
  const { schema, ...passed } = reader.read(type, site)
  const value = { ...passed, ...nested }
  if (!returns) return { schema, value }

  const { text, keywords } = returns
  const [, member, rest] = /^([A-Za-z_$][\w$]*)\s+-\s+([\s\S]*)$/.exec(text) ?? []
  if (member !== undefined && rest !== undefined && isScalar(type)) {
    const named: JsonSchema = {
      type: 'object',
      properties: { [member]: described(reader.constrained(schema, keywords, site), rest) },
      required: [member],
      additionalProperties: false,
    }
    return { schema: named, value: { ...value, member } }
  }
  return { schema: describedMembers(reader.constrained(schema, keywords, site), text), value }
}

/**
 * Applies `@returns`: lines `name - text` describe members of an object, with the lines that follow each up to a blank one; the rest
 * describes the whole.
 */
function describedMembers(schema: JsonSchema, text: string): JsonSchema {
  const properties = { ...schema.properties }
  const whole: string[] = []
  let current: string | undefined
  for (const line of text.split('\n')) {
    const [, name = '', words = ''] = /^\s*(?:[-*]\s+)?([A-Za-z_$][\w$]*)\s+-\s+(.*)$/.exec(line) ?? []
    const begun = Object.hasOwn(properties, name) ? name : undefined
    current = begun ?? (line.trim() === '' ? undefined : current)
    const member = current === undefined ? undefined : properties[current]
    if (current === undefined || typeof member !== 'object') whole.push(line)
    else {
      const description = begun === undefined ? `${member.description}\n${line.trim()}` : words.trim()
      properties[current] = { ...member, description }
    }
  }
  const description = whole.join('\n').trim()
  return described(
    schema.properties ? { ...schema, properties } : schema,
    description === '' ? undefined : description,
  )
}

/** Returns the signature that a function is called by: that of its constant, whose declared type may be wider. */
function signatureOf(
  declaration: ts.FunctionLikeDeclaration,
  checker: ts.TypeChecker,
): ts.Signature | undefined {
  const constant = constantOf(declaration)
  const [declared] = constant ? checker.getTypeAtLocation(constant.name).getCallSignatures() : []
  return declared ?? checker.getSignatureFromDeclaration(declaration)
}

/** Whether awaiting a returned value takes more than one step, or its type is not `Promise`: an Activity's result is neither. */
function isNested(returned: ts.Type, checker: ts.TypeChecker): boolean {
  const parts = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type])
  const mayThen = (type: ts.Type): boolean =>
    parts(type).some((part) => checker.getPropertyOfType(part, 'then') !== undefined)
  return parts(returned).some((part) => {
    if (part.symbol?.name !== 'Promise') return mayThen(part)
    return checker.getTypeArguments(part as ts.TypeReference).some(mayThen)
  })
}

function isScalar(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.every(isScalar)
  const scalars = TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike | TypeFlags.Null
  return (type.flags & scalars) !== 0 || type.symbol?.name === 'Date'
}
