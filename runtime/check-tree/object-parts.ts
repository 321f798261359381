import type { JsonSchema, Schema } from '../schema/schema.ts'
import type { Builder } from './builder.ts'
import { evaluatedProperties } from './evaluated.ts'
import { rejectsMissing } from './rejects-missing.ts'
import { boundOf, dependenciesOf } from './spellings.ts'
import { type Argument, all, type CheckTree, call, isValid, literal, valid, when } from './tree.ts'

/** Builds the checks of a schema's object keywords: one call that contains everything else. */
export function objectParts(schema: JsonSchema, builder: Builder): CheckTree[] {
  const { tree } = builder
  const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = schema
  const { maxProperties } = schema
  const minProperties = boundOf(schema.minProperties)
  const patterns = Object.keys(patternProperties)
  const isClosed = additionalProperties === false
  const isClosedByName = isClosed && patterns.length === 0
  const forbidden = Object.keys(properties).filter((name) => properties[name] === false)
  const names = Object.keys(properties).filter((name) => !isClosedByName || properties[name] !== false)
  const others = additionalProperties === undefined || isClosed ? valid : tree(additionalProperties)
  const parts = propertyParts(schema, builder)
  if (forbidden.length > 0 && !isClosedByName) parts.push(call('without', literal(forbidden)))
  for (const [pattern, property] of Object.entries(patternProperties)) {
    const step = tree(property)
    if (!isValid(step)) parts.push(call('matching', literal(pattern), { step }))
  }
  if (isClosed && !isClosedByName) parts.push(call('closed', literal(names), literal(patterns)))
  if (!isValid(others)) {
    const listed = literal(patterns.length > 0 ? patterns : undefined)
    parts.push(call('others', { step: others }, literal(names), listed))
  }
  const named = propertyNames === undefined ? valid : tree(propertyNames)
  if (!isValid(named)) parts.push(call('named', { step: named }))
  if (minProperties !== undefined || maxProperties !== undefined) {
    parts.push(call('counted', literal(minProperties ?? 0), literal(maxProperties)))
  }
  parts.push(...dependencyParts(schema, builder))
  const fields = all(parts)
  if (isValid(fields)) return isClosedByName ? [call('object', literal(names))] : []
  return [call('object', literal(isClosedByName ? names : null), { step: fields })]
}

/** Builds the checks of `properties` and `required`, in the order of the schema. */
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

/** Builds the check of `unevaluatedProperties`. It stands last, since its reasons depend on those of all others. */
export function unevaluatedParts(schema: JsonSchema, { tree, references }: Builder): CheckTree[] {
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
  const only = schema.unevaluatedProperties === false ? literal(null) : { step }
  const check = call('unevaluated', only, { list: evaluated })
  return [when('object', call('object', literal(null), { step: check }))]
}
