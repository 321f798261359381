import { tolerantCheck } from '../../check-tree/tolerant-check.ts'
import { isOfType, type TypeName } from '../../checks/scalars.ts'
import { definitionName } from '../../json/definition-reference.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { isSameJson } from '../../json/same-json.ts'
import { reachable } from '../../schema/needed-definitions.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'
import type { Check } from '../../schema/validator.ts'
import type { CodecScope, UnionBranch } from './codec.ts'
import { branchesByTag } from './tagged-branches.ts'

/**
 * Finds the branch of a lowered union that an answer belongs to. Branches with ambiguous answers never reach a codec (see
 * `ambiguous.ts`), so the first branch that accepts the value is right.
 *
 * Types and fixed values almost always decide; the value is validated only if several branches remain. For an answer that fits no
 * branch the likeliest one is returned, and the validator reports the problems.
 */
export function chooseBranch(
  all: readonly UnionBranch[],
  value: unknown,
  scope: CodecScope,
): UnionBranch | undefined {
  const branches = branchesByTag(all, value)
  // One branch has this tag: a Call without its `_activity` is still a Call of that Tool.
  if (branches !== all && branches.length === 1) return branches[0]
  const exact = branches.filter(({ schema }) => resembles(schema, value, scope, false))
  if (exact.length <= 1 && !(exact.length === 0 && scope.ignoreCapitals)) return exact[0]
  const candidates =
    exact.length > 0 ? exact : branches.filter(({ schema }) => resembles(schema, value, scope, true))
  const [first, ...others] = candidates
  if (!first || others.every((other) => other.value === first.value)) return first
  return candidates.find((branch) => takes(branch, value, scope)) ?? first
}

/** True if a value is valid under a branch in the form that was sent. */
export function takes(branch: UnionBranch, value: unknown, scope: CodecScope): boolean {
  return resembles(branch.schema, value, scope, false) && checkOf(branch.schema, scope)(value)
}

/** Checks by schema, created on first use: most unions are decided without one. */
const checks = new WeakMap<JsonSchema, Check>()

function checkOf(schema: JsonSchema, { definitions }: CodecScope): Check {
  const known = checks.get(schema)
  if (known) return known
  // Only what it needs: a composed schema may have the definitions of many Tools, and each would be prepared here.
  const needed = reachable(schema, { get: (name) => definitions.get(name)?.schema })
  const made = tolerantCheck({ ...schema, $defs: Object.fromEntries(needed) })
  checks.set(schema, made)
  return made
}

/** True if a value has the type, and the fixed values, of a lowered schema. */
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
