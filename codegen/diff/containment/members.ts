import { regularExpression } from '../../../runtime/checks/scalars.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'

/** What a conjunction says about the property of a name, as schemas that all hold of its value. */
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

/** What holds of properties that no part names: of those that match no pattern, and of those that match one. */
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

/** Every name that a part speaks of. */
export function namedMembers(all: Conjunction): Set<string> {
  return new Set(
    all.parts.flatMap((part) => [...Object.keys(part.properties ?? {}), ...(part.required ?? [])]),
  )
}

/** The only names that there can be; undefined when there is no such list. */
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

/** What holds of the item at a place. */
export function itemSchemas(all: Conjunction, index: number): Schema[] {
  return all.parts.flatMap((part) => {
    const own = listOf(part.prefixItems?.[index])
    return own.length > 0 ? own : restOf(part)
  })
}

/** What holds of items behind every tuple. */
export function laterItems(all: Conjunction): Schema[] {
  return all.parts.flatMap(restOf)
}

/** How far the longest tuple reaches. */
export function tupleLength(all: Conjunction): number {
  return Math.max(0, ...all.parts.map(({ prefixItems = [] }) => prefixItems.length))
}

/** How many items there can be. */
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

/** `Universe` has guarded every pattern, so that none of them can hang. */
function matches(pattern: string, name: string): boolean {
  return regularExpression(pattern).test(name)
}
