import { isKnownFormat } from '../checks/formats.ts'
import { isJsonObject } from '../json/json.ts'
import { holdsOnlySchemas } from '../keywords/keywords.ts'
import { briefly } from '../problems/problem.ts'
import type { JsonSchema, Schema } from '../schema/schema.ts'
import { evaluationFindings } from './evaluation-findings.ts'
import { keywordRules } from './keyword-rules.ts'
import { referenceFindings } from './reference-findings.ts'
import type { References } from './references.ts'
import { subschemas } from './subschemas.ts'
import type { Unsupported } from './unsupported.ts'

/** Deepest nesting of a schema: deeper ones would overflow the stack of recursive code. */
const deepestSchema = 200

/**
 * Finds everything in a schema for which the checks would differ from Ajv (GEN-11). Without findings, the verdicts are
 * those of JSON Schema 2020-12 for every value.
 */
export function unsupportedSchema(schema: unknown, references: References): Unsupported[] {
  return unsupportedAt(schema, references, { pointer: '', depth: 0, document: '' })
}

/**
 * Returns the unknown formats in a schema, which are not asserted. Those next to a pattern are left out: the pattern
 * states what is meant.
 */
export function unknownFormats(schema: Schema, pointer: string = ''): { pointer: string; format: string }[] {
  if (typeof schema === 'boolean') return []
  const { format, pattern } = schema
  const isUnchecked = typeof format === 'string' && !isKnownFormat(format) && pattern === undefined
  const here = isUnchecked ? [{ pointer: `${pointer}/format`, format }] : []
  const inside = subschemas(schema).flatMap((each) => unknownFormats(each.schema, pointer + each.pointer))
  return [...here, ...inside]
}

interface Place {
  readonly pointer: string
  readonly depth: number
  /** The `$id` of the schema that `#` refers to here; empty for the root. */
  readonly document: string
}

function unsupportedAt(schema: unknown, references: References, place: Place): Unsupported[] {
  const { pointer, depth } = place
  if (typeof schema === 'boolean') return []
  if (!isJsonObject(schema)) {
    const reason = `a schema is an object or a boolean, not ${briefly(schema)}`
    return [{ pointer, keyword: '', reason, fix: 'Write a schema here.' }]
  }
  if (depth > deepestSchema) {
    const reason = `it is nested more than ${deepestSchema} levels deep`
    return [{ pointer, keyword: '', reason, fix: 'Move parts of it to $defs.' }]
  }
  const document = depth > 0 && typeof schema.$id === 'string' ? schema.$id : place.document
  const broken = [...wordFindings(schema, pointer), ...keywordFindings(schema, pointer)]
  const inside = subschemas(schema).flatMap((each) =>
    unsupportedAt(each.schema, references, { pointer: pointer + each.pointer, depth: depth + 1, document }),
  )
  // References and evaluation can only be analysed if all keywords are well-formed.
  if (broken.length + inside.length > 0) return [...broken, ...inside]
  return [
    ...documentFindings(schema, pointer, document),
    ...referenceFindings(schema, pointer, references),
    ...evaluationFindings(schema, pointer, references),
  ]
}

/** Properties without the object schema around them, or a schema in the wrapper of another library: every value would be valid. */
export function wordFindings(schema: JsonSchema, pointer: string): Unsupported[] {
  if (!holdsOnlySchemas(schema)) return []
  const reason = `${briefly(schema)} has no keyword of JSON Schema`
  return [{ pointer, keyword: '', reason, fix: 'Put properties in Type.Object.' }]
}

function keywordFindings(schema: JsonSchema, pointer: string): Unsupported[] {
  const found: Unsupported[] = []
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    for (const { holds, reason, fix } of keywordRules.get(keyword) ?? []) {
      if (holds(value, schema)) continue
      const words = typeof reason === 'string' ? reason : reason(value)
      found.push({ pointer: `${pointer}/${keyword}`, keyword, reason: words, fix })
    }
  }
  return found
}

/** Inside a schema with its own `$id`, `#` refers to that schema, while it would be resolved against the root. */
function documentFindings({ $ref }: JsonSchema, pointer: string, document: string): Unsupported[] {
  if (document === '' || typeof $ref !== 'string' || !$ref.startsWith('#')) return []
  const reason = `$ref ${briefly($ref)} stands inside a schema with the $id ${briefly(document)}, to which "#" belongs there`
  return [{ pointer: `${pointer}/$ref`, keyword: '$ref', reason, fix: 'Leave out that $id.' }]
}
