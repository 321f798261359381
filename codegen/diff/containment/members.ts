import { regularExpression } from '../../../runtime/checks/scalars.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'

/** Returns the schemas that a conjunction applies to the property of this name. */
export function memberSchemas(all: Conjunction, name: string): Schema[] {
  return all.parts.flatMap((part) => {
    const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = part
    const said: Schema[] = []
    if (propertyNames !== undefined && !all.universe.accepts(propertyNames, name)) said.push(false)
    let isListed = Object.hasOwn(properties, name)
    if (isListed) said.push(properties[name] as Schema)
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      if (!matches(pattern, name)) continue
      isListed = true
      said.push(schema)
    }
    if (!isListed && additionalProperties !== undefined) said.push(additionalProperties)
    return said
  })
}

/** Returns the schemas of properties that no part names: those that match no pattern, and those that match each pattern. */
export function unnamedMembers(all: Conjunction): { pattern: string | undefined; schemas: Schema[] }[] {
  const { parts } = all
  const none = parts.flatMap(({ additionalProperties }) => listOf(additionalProperties))
  const patterns = parts.flatMap(({ patternProperties = {} }) => Object.entries(patternProperties))
  const open = parts.flatMap(({ additionalProperties, patternProperties }) =>
    patternProperties === undefined ? listOf(additionalProperties) : [],
  )
  return [
    { pattern: undefined, schemas: none },
    ...patterns.map(([pattern, schema]) => ({ pattern, schemas: [schema, ...open] })),
  ]
}

/** Returns every property name that a part mentions. */
export function namedMembers(all: Conjunction): Set<string> {
  return new Set(
    all.parts.flatMap((part) => [...Object.keys(part.properties ?? {}), ...(part.required ?? [])]),
  )
}

/** Returns the only possible property names; undefined if they are not limited. */
export function possibleNames(all: Conjunction): string[] | undefined {
  const lists = all.parts.flatMap(
    ({ properties = {}, patternProperties, additionalProperties, propertyNames }) => {
      const found: string[][] = []
      if (additionalProperties === false && patternProperties === undefined)
        found.push(Object.keys(properties))
      if (propertyNames === false) found.push([])
      if (isJsonObject(propertyNames) && Array.isArray(propertyNames.enum))
        found.push(propertyNames.enum.filter((name) => typeof name === 'string'))
      return found
    },
  )
  const [first, ...others] = lists
  return first?.filter((name) => others.every((list) => list.includes(name)))
}

/** Returns the schemas of the item at an index. */
export function itemSchemas(all: Conjunction, index: number): Schema[] {
  return all.parts.flatMap((part) => {
    const own = listOf(part.prefixItems?.[index])
    return own.length > 0 ? own : restOf(part)
  })
}

/** Returns the schemas of items after every tuple. */
export function laterItems(all: Conjunction): Schema[] {
  return all.parts.flatMap(restOf)
}

/** Returns the length of the longest tuple. */
export function tupleLength(all: Conjunction): number {
  return Math.max(0, ...all.parts.map(({ prefixItems = [] }) => prefixItems.length))
}

/** Returns the largest possible number of items. */
export function mostItems(all: Conjunction): number {
  const closed = all.parts.flatMap(({ items, prefixItems = [] }) =>
    items === false ? [prefixItems.length] : [],
  )
  return Math.min(all.least('maxItems') ?? Number.POSITIVE_INFINITY, ...closed)
}

function restOf({ items }: JsonSchema): Schema[] {
  return items === undefined || Array.isArray(items) ? [] : [items]
}

function listOf(schema: Schema | undefined): Schema[] {
  return schema === undefined ? [] : [schema]
}

/** Tests a name against a pattern. Cannot hang: `Universe` has guarded every pattern. */
function matches(pattern: string, name: string): boolean {
  return regularExpression(pattern).test(name)
}
