import { interpretCheck } from '../../check-tree/interpret.ts'
import { isOfType, type TypeName } from '../../checks/scalars.ts'
import { isCallsheetError } from '../../errors.ts'
import { definitionName } from '../../json/definition-reference.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import type { Check } from '../../schema/validator.ts'
import type { CodecScope, UnionBranch } from './codec.ts'
import { branchesByTag } from './tagged-branches.ts'

/**
 * Finds the branch of a lowered union that an answer was written for. Branches whose answers could be mistaken for one
 * another never reach a codec (see `ambiguous.ts`), so the first branch that takes the value is right.
 *
 * Types and fixed values decide nearly always; only when they leave several branches is the value checked. An answer that
 * fits no branch gets the likeliest, and the validator says what is wrong with it.
 */
export function chooseBranch(
  all: readonly UnionBranch[],
  value: unknown,
  scope: CodecScope,
): UnionBranch | undefined {
  const branches = branchesByTag(all, value)
  const exact = branches.filter(({ schema }) => resembles(schema, value, scope, false))
  if (exact.length <= 1 && !(exact.length === 0 && scope.ignoreCapitals)) return exact[0]
  const candidates =
    exact.length > 0 ? exact : branches.filter(({ schema }) => resembles(schema, value, scope, true))
  const [first, ...others] = candidates
  if (!first || others.every((other) => other.value === first.value)) return first
  return candidates.find((branch) => takes(branch, value, scope)) ?? first
}

/** True when a value is valid under a branch as it was sent. */
export function takes(branch: UnionBranch, value: unknown, scope: CodecScope): boolean {
  return resembles(branch.schema, value, scope, false) && checkOf(branch.schema, scope)(value)
}

/** Checks by schema, made when a value first needs one: most unions are decided without. */
const checks = new WeakMap<JsonSchema, Check>()

function checkOf(schema: JsonSchema, scope: CodecScope): Check {
  const known = checks.get(schema)
  if (known) return known
  const made = makeCheck(withDefinitions(schema, scope))
  checks.set(schema, made)
  return made
}

function makeCheck(schema: JsonSchema): Check {
  try {
    return interpretCheck(schema)
  } catch (error) {
    // A pattern or format that cannot be checked here decides nothing: the validator judges the lifted value.
    if (isCallsheetError(error) && error.code === 'unsupported_schema') return () => true
    throw error
  }
}

function withDefinitions(schema: JsonSchema, { definitions }: CodecScope): JsonSchema {
  if (definitions.size === 0) return schema
  const $defs: [string, Schema][] = [...definitions].map(([name, lowered]) => [name, lowered.schema])
  return { ...schema, $defs: Object.fromEntries($defs) }
}

/** True for a value of the kind that a lowered schema describes, by its type and the fixed values in it. */
function resembles(
  schema: Schema,
  value: unknown,
  scope: CodecScope,
  anyCapitals: boolean,
  followed: readonly string[] = [],
): boolean {
  if (!isJsonObject(schema)) return schema
  const { type, anyOf, properties, required } = schema as JsonSchema
  const types = type === undefined ? undefined : ([type].flat() as TypeName[])
  if (types && !types.some((name) => isOfType(value, name))) return false
  if (!isAllowed(schema, value, anyCapitals)) return false
  if (anyOf && !anyOf.some((branch) => resembles(branch, value, scope, anyCapitals, followed))) return false
  const name = definitionName(schema.$ref)
  if (name !== undefined && !followed.includes(name)) {
    const target = scope.definitions.get(name)?.schema
    if (target && !resembles(target, value, scope, anyCapitals, [...followed, name])) return false
  }
  if (!isJsonObject(value) || !properties) return true
  return Object.entries(properties).every(([key, child]) => {
    const isFixed = isJsonObject(child) && (child.const !== undefined || child.enum !== undefined)
    if (!isFixed) return true
    if (!Object.hasOwn(value, key)) return !required?.includes(key)
    return isAllowed(child, own(value, key), anyCapitals)
  })
}

function isAllowed(schema: JsonSchema, value: unknown, anyCapitals: boolean): boolean {
  const allowed = schema.const === undefined ? schema.enum : [schema.const]
  if (allowed === undefined || allowed.some((entry) => isSameJson(entry, value))) return true
  if (!anyCapitals || typeof value !== 'string') return false
  return allowed.some((entry) => typeof entry === 'string' && entry.toLowerCase() === value.toLowerCase())
}
