import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { definitionName } from '../../../runtime/json/definition-reference.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import { mapChildSchemas } from '../../../runtime/schema/schema-children.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'

/**
 * A schema and all that it refers to as one text, without wording and without the names of definitions: those often come from
 * the Tool or the property that was renamed.
 */
export function namelessText(schema: Schema, definitions: Readonly<Record<string, Schema>>): string {
  const reached = new Map<string, number>()
  const nameless = (part: Schema): Schema => {
    if (typeof part === 'boolean') return part
    const copy = mapChildSchemas(part, nameless)
    const name = definitionName(part.$ref)
    if (name === undefined) return copy
    if (!reached.has(name)) reached.set(name, reached.size)
    return { ...copy, $ref: `#${reached.get(name)}` }
  }
  const plain = (part: Schema): Schema => nameless(withoutWording(part))
  const texts = [plain(schema)]
  // Grows while it is read: a definition can lead to others.
  for (const name of reached.keys()) texts.push(plain(definitions[name] ?? true))
  return texts.map(canonicalJson).join(' ')
}
