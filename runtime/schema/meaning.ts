import { canonicalJson } from '../json/canonical-json.ts'
import { isJsonObject } from '../json/json.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { mapChildSchemas } from './schema-children.ts'
import type { TargetOf } from './target-of.ts'

/**
 * Returns a text of a schema and of all that it refers to. Two schemas with the same text mean the same. Their own texts do not
 * suffice: the same reference can lead to different schemas, each in the definitions of its part.
 */
export function meaningOf(schema: JsonSchema, targetOf: TargetOf): string {
  const all = [schema]
  const numbered = (part: Schema): Schema => {
    if (!isJsonObject(part)) return part
    const copy = mapChildSchemas(part, numbered)
    const target = targetOf(part)
    if (!target) return copy
    if (!all.includes(target)) all.push(target)
    return { ...copy, $ref: `${all.indexOf(target)}` }
  }
  let text = ''
  // The list grows meanwhile.
  for (const each of all) text += canonicalJson(numbered(each))
  return text
}
