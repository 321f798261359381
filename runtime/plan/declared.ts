import type { Path } from '../context/reference.ts'
import { isIndex } from '../context/write.ts'
import { isJsonObject, own } from '../json/json.ts'
import { nearest } from '../problems/nearest.ts'
import type { Schema } from '../schema/schema.ts'

/** The schemas of what contexts hold, by kind, with the definitions that they refer to. */
export interface DeclaredContext {
  readonly kinds: Readonly<Record<string, Schema>>
  readonly definitions?: Readonly<Record<string, Schema>>
}

/** What the schemas say of a path. */
export type Declared =
  /** It is there from the start. */
  | { readonly is: 'required' }
  /** It may come to be there. */
  | { readonly is: 'optional' }
  /** Nothing, or more than is read here. */
  | { readonly is: 'unsaid' }
  /** It never is: these are the names that the last step could have had. */
  | { readonly is: 'unknown'; readonly name: string; readonly suggestions: readonly string[] }

/** Follows a path through the schemas: the run-time twin of `FromTheStart` in `runtime/typed/written.ts`. */
export function declaredAt({ kinds, definitions = {} }: DeclaredContext, { kind, segments }: Path): Declared {
  const declared = own(kinds, kind)
  if (declared === undefined) return { is: 'unsaid' }
  let schema: unknown = declared
  let optional = false
  for (const name of segments) {
    schema = followed(schema, definitions)
    if (!isJsonObject(schema)) return { is: 'unsaid' }
    // How long a list is, no schema says: an item is taken to be there where its list is.
    if (schema.type === 'array' && isIndex(name)) return { is: optional ? 'optional' : 'required' }
    const { properties, required, additionalProperties } = schema
    if (schema.type !== 'object' || !isJsonObject(properties)) return { is: 'unsaid' }
    if (!Object.hasOwn(properties, name)) {
      const isOpen =
        isJsonObject(additionalProperties) || additionalProperties === true || 'patternProperties' in schema
      if (isOpen) return { is: 'unsaid' }
      return { is: 'unknown', name, suggestions: nearest(name, Object.keys(properties)) }
    }
    optional ||= !(Array.isArray(required) && required.includes(name))
    schema = properties[name]
  }
  return { is: optional ? 'optional' : 'required' }
}

/** What a schema means that is nothing but a reference; undefined where references go in a circle. */
function followed(schema: unknown, definitions: Readonly<Record<string, Schema>>): unknown {
  let found = schema
  for (let steps = 0; steps < 32; steps++) {
    const reference = isJsonObject(found) ? own(found, '$ref') : undefined
    if (typeof reference !== 'string') return found
    found = own(definitions, reference.replace(/^#\/\$defs\//, ''))
  }
  return undefined
}
