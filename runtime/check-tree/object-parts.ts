import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { Builder } from './builder.ts'
import { evaluatedProperties } from './evaluated.ts'
import { rejectsMissing } from './rejects-missing.ts'
import { boundOf, dependenciesOf } from './spellings.ts'
import { type Argument, all, type CheckTree, call, isValid, literal, valid } from './tree.ts'

/** What a schema says about objects: one call, which closes over everything else. */
export function objectParts(schema: JsonSchema, builder: Builder): CheckTree[] {
  const { tree } = builder
  const { additionalProperties, patternProperties = {}, propertyNames, maxProperties } = schema
  const minProperties = boundOf(schema.minProperties)
  const properties = Object.entries(schema.properties ?? {})
  const patterns = Object.keys(patternProperties)
  const isClosed = additionalProperties === false
  const isClosedByName = isClosed && patterns.length === 0
  const forbidden = properties.flatMap(([name, property]) => (property === false ? [name] : []))
  const names = properties
    .map(([name]) => name)
    .filter((name) => !isClosedByName || !forbidden.includes(name))
  const others = additionalProperties === undefined || isClosed ? valid : tree(additionalProperties)
  const count = minProperties !== undefined || maxProperties !== undefined
  const fields = all([
    ...propertyParts(schema, builder),
    ...(forbidden.length > 0 && !isClosedByName ? [call('without', literal(forbidden))] : []),
    ...Object.entries(patternProperties).flatMap(([pattern, property]) => {
      const step = tree(property)
      return isValid(step) ? [] : [call('matching', literal(pattern), { step })]
    }),
    ...(isClosed && !isClosedByName ? [call('closed', literal(names), literal(patterns))] : []),
    ...(isValid(others)
      ? []
      : [
          call(
            'others',
            { step: others },
            literal(names),
            literal(patterns.length > 0 ? patterns : undefined),
          ),
        ]),
    ...(propertyNames === undefined || isValid(tree(propertyNames))
      ? []
      : [call('named', { step: tree(propertyNames) })]),
    ...(count ? [call('counted', literal(minProperties ?? 0), literal(maxProperties))] : []),
    ...dependencyParts(schema, builder),
    ...unevaluatedParts(schema, builder),
  ])
  if (isValid(fields)) return isClosedByName ? [call('object', literal(names))] : []
  return [call('object', literal(isClosedByName ? names : null), { step: fields })]
}

/** The parts for `properties` and `required`, in the order in which the schema lists them. */
function propertyParts(schema: JsonSchema, { tree, references }: Builder): CheckTree[] {
  const required = new Set(schema.required ?? [])
  const bare = new Set(required)
  const fields: CheckTree[] = []
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property === false) continue
    const part = tree(property)
    if (isValid(part)) continue
    bare.delete(name)
    const missing = !required.has(name) ? 'pass' : rejectsMissing(property, references) ? 'part' : 'fail'
    fields.push({ op: 'field', name, missing, part })
  }
  return bare.size > 0 ? [call('required', literal([...bare])), ...fields] : fields
}

function dependencyParts(schema: JsonSchema, { tree }: Builder): CheckTree[] {
  return dependenciesOf(schema).flatMap(([name, dependency]) => {
    const step = tree(dependency)
    return isValid(step) ? [] : [call('dependent', literal(name), { step })]
  })
}

function unevaluatedParts(schema: JsonSchema, { tree, references }: Builder): CheckTree[] {
  if (schema.unevaluatedProperties === undefined) return []
  const step = tree(schema.unevaluatedProperties as Schema)
  if (isValid(step)) return []
  const evaluated = evaluatedProperties(schema, references).map(
    ({ when: condition, names, patterns }): Argument => ({
      list: [
        condition === undefined ? literal(null) : { step: tree(condition) },
        literal(names),
        ...(patterns.length > 0 ? [literal(patterns)] : []),
      ],
    }),
  )
  return [
    call('unevaluated', schema.unevaluatedProperties === false ? literal(null) : { step }, {
      list: evaluated,
    }),
  ]
}
