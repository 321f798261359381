import { isOfType, type TypeName } from '../checks/scalars.ts'
import { isSameJson } from '../json/same-json.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { arrayParts } from './array-parts.ts'
import type { Builder } from './builder.ts'
import { combinationParts } from './combination-parts.ts'
import { objectParts, unevaluatedParts } from './object-parts.ts'
import type { References } from './references.ts'
import { numberParts, stringParts } from './scalar-parts.ts'
import { all, type CheckTree, call, type Guard, literal, valid, when } from './tree.ts'
import { typesOf } from './types.ts'

/**
 * Builds the check tree of a schema: the functions to call to validate a value. The semantics are JSON Schema 2020-12 as Ajv
 * implements it (GEN-11); draft-07's forms of tuples and dependencies keep their draft-07 meaning.
 *
 * The schema must have passed `unsupportedSchema`: nothing is validated here.
 */
export function checkTree(schema: Schema, references: References): CheckTree {
  const builder: Builder = { references, tree }
  function tree(part: Schema): CheckTree {
    if (typeof part === 'boolean') return part ? valid : call('never')
    const parts = typeParts(part, builder)
    parts.push(...combinationParts(part, builder), ...unevaluatedParts(part, builder))
    return all(parts)
  }
  return tree(schema)
}

const guards: readonly Guard[] = ['string', 'number', 'array', 'object']

/** Builds the checks of the keywords that apply to certain types. */
function typeParts(schema: JsonSchema, builder: Builder): CheckTree[] {
  const types = typesOf(schema)
  const values = valuesOf(schema, types)
  const guarded = (kinds: readonly Guard[]) =>
    kinds.map((kind) => when(kind, all(partsOf(kind, schema, builder))))
  if (values) {
    return [
      valueCheck(values),
      ...guarded(guards.filter((kind) => values.some((value) => isOfType(value, kind)))),
    ]
  }
  if (!types) return guarded(guards)
  const [only] = types
  if (!only || types.length > 1) {
    const kinds = guards.filter((kind) => types.some((type) => guardOf(type) === kind))
    return [call('typed', literal(types)), ...guarded(kinds)]
  }
  const kind = guardOf(only)
  if (kind === undefined) return [typeCheck(only)]
  const [first = typeCheck(only), ...rest] = partsOf(kind, schema, builder)
  return [first, ...rest.map((part) => when(kind, part))]
}

/** Builds the checks for one type. The first part also rejects every other type. */
function partsOf(kind: Guard, schema: JsonSchema, builder: Builder): CheckTree[] {
  switch (kind) {
    case 'string':
      return stringParts(schema)
    case 'number':
      return numberParts(schema)
    case 'array':
      return arrayParts(schema, builder)
    case 'object':
      return objectParts(schema, builder)
  }
}

function guardOf(type: TypeName): Guard | undefined {
  return type === 'integer' ? 'number' : type === 'boolean' || type === 'null' ? undefined : type
}

function typeCheck(type: TypeName): CheckTree {
  return call(type === 'null' ? 'nothing' : type)
}

/** Returns the values of the allowed types that `const` and `enum` list; undefined if the schema has neither. */
function valuesOf(schema: JsonSchema, types: readonly TypeName[] | undefined): unknown[] | undefined {
  const fixed = Object.hasOwn(schema, 'const')
  if (!fixed && !schema.enum) return undefined
  const listed = schema.enum ?? [schema.const]
  return listed.filter(
    (value) =>
      (!fixed || isSameJson(value, schema.const)) && (!types || types.some((type) => isOfType(value, type))),
  )
}

function valueCheck(values: readonly unknown[]): CheckTree {
  if (values.length === 0) return call('never')
  return values.length === 1 ? call('equals', literal(values[0])) : call('among', literal(values))
}
