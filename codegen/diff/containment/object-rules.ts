import { regularExpression } from '../../../runtime/checks/scalars.ts'
import type { JsonSchema, Schema } from '../../../runtime/schema/schema.ts'
import type { Conjunction } from './conjunction.ts'
import { isEmpty, possibleKinds } from './kinds.ts'
import { memberSchemas, namedMembers, possibleNames, unnamedMembers } from './members.ts'
import type { Gap, Location, Prover, Rules } from './prover.ts'

/** The keywords for objects. */
export const objectRules: Rules = (prover, all, wanted, location) => {
  if (!possibleKinds(all).has('object')) return []
  return [
    ...requiredGaps(all, wanted, location),
    ...memberGaps(prover, all, wanted, location),
    ...nameGaps(prover, all, wanted, location),
    ...sizeGaps(all, wanted, location),
    ...dependentGaps(prover, all, wanted, location),
    ...(wanted.unevaluatedProperties === undefined
      ? []
      : [{ location, keyword: 'unevaluatedProperties', wants: wanted.unevaluatedProperties }]),
  ]
}

function requiredGaps(all: Conjunction, { required = [] }: JsonSchema, location: Location): Gap[] {
  const known = all.required
  return required
    .filter((name) => !known.has(name))
    .map((name) => ({ location: [...location, name], keyword: 'required', wants: name }))
}

/** Proves `properties`, `patternProperties` and `additionalProperties`: first for each known name, then for all other names. */
function memberGaps(prover: Prover, all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = wanted
  const patterns = Object.entries(patternProperties).map(([source, schema]) => ({
    source,
    schema,
    pattern: regularExpression(source),
  }))
  const gaps: Gap[] = []
  const possible = possibleNames(all)
  const names = new Set([...namedMembers(all), ...Object.keys(properties), ...(possible ?? [])])
  for (const name of names) {
    if (possible && !possible.includes(name)) continue
    const member = all.of(memberSchemas(all, name))
    if (isEmpty(member)) continue
    const asked: [keyword: string, schema: Schema][] = []
    if (Object.hasOwn(properties, name)) asked.push(['properties', properties[name] as Schema])
    for (const { pattern, schema } of patterns)
      if (pattern.test(name)) asked.push(['patternProperties', schema])
    if (asked.length === 0) asked.push(['additionalProperties', additionalProperties])
    for (const [keyword, schema] of asked) {
      const found = prover.prove(member, schema, [...location, name])
      gaps.push(...(schema === false && found.length > 0 ? [refusal([...location, name], keyword)] : found))
    }
  }
  if (possible) return gaps
  for (const { pattern, schemas } of unnamedMembers(all)) {
    const member = all.of(schemas)
    const prove = (schema: Schema, keyword: string): Gap[] => {
      const found = prover.prove(member, schema, [...location, '*'])
      return schema === false && found.length > 0 ? [refusal([...location, '*'], keyword)] : found
    }
    for (const each of patterns) gaps.push(...prove(each.schema, 'patternProperties'))
    // Names that match the same pattern on the other side were proven with that pattern.
    if (!patterns.some(({ source }) => source === pattern))
      gaps.push(...prove(additionalProperties, 'additionalProperties'))
  }
  return gaps
}

function refusal(location: Location, keyword: string): Gap {
  return { location, keyword, wants: false }
}

function nameGaps(
  prover: Prover,
  all: Conjunction,
  { propertyNames }: JsonSchema,
  location: Location,
): Gap[] {
  if (propertyNames === undefined) return []
  const { universe } = all
  const wrong = (name: string): boolean => !universe.accepts(propertyNames, name)
  const gap = { location, keyword: 'propertyNames', wants: propertyNames }
  const possible = possibleNames(all)
  if (possible) {
    const refused = possible.filter((name) => wrong(name) && !isEmpty(all.of(memberSchemas(all, name))))
    return refused.length === 0 ? [] : [gap]
  }
  const known = all.all('propertyNames') as Schema[]
  const names = all.of([{ type: ['string'] }, ...known])
  return prover.prove(names, propertyNames, [...location, '*']).length === 0 ? [] : [gap]
}

function sizeGaps(all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = wanted as Partial<
    Record<string, number>
  >
  const least = Math.max(all.required.size, all.most('minProperties') ?? 0)
  const most = Math.min(
    all.least('maxProperties') ?? Number.POSITIVE_INFINITY,
    possibleNames(all)?.length ?? Number.POSITIVE_INFINITY,
  )
  return [
    ...(least < minProperties ? [{ location, keyword: 'minProperties', wants: minProperties }] : []),
    ...(most > maxProperties ? [{ location, keyword: 'maxProperties', wants: maxProperties }] : []),
  ]
}

function dependentGaps(prover: Prover, all: Conjunction, wanted: JsonSchema, location: Location): Gap[] {
  const { dependentSchemas = {} } = wanted as { dependentSchemas?: Record<string, Schema> }
  return Object.entries(dependentSchemas).flatMap(([name, schema]) => {
    if (isEmpty(all.of(memberSchemas(all, name)))) return []
    return prover.prove(all.and({ required: [name] }), schema, location)
  })
}
