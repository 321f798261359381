import type { Path } from '../context/reference.ts'
import { isIndex } from '../context/write.ts'
import { isJsonObject, own } from '../json/json.ts'
import { nearest } from '../problems/nearest.ts'
import type { Schema } from '../schema/schema.ts'

/** The declared schemas of a context's data by kind, with the definitions that they refer to. */
export interface DeclaredContext {
  readonly kinds: Readonly<Record<string, Schema>>
  readonly definitions?: Readonly<Record<string, Schema>>
}

/** What the schemas declare about a path. */
export type Declared =
  /** It exists from the start. */
  | { readonly is: 'required' }
  /** It may exist. */
  | { readonly is: 'optional' }
  /** The schemas do not describe it, or with keywords that are not followed here, such as `anyOf`. */
  | { readonly is: 'undeclared' }
  /** It cannot exist: no property is called `name`; `suggestions` are similar names. */
  | { readonly is: 'unknown'; readonly name: string; readonly suggestions: readonly string[] }

/** Follows a path through the schemas: the run-time twin of `FromTheStart` in `runtime/typed/written.ts`. */
export function declaredAt({ kinds, definitions = {} }: DeclaredContext, { kind, segments }: Path): Declared {
  const declared = own(kinds, kind)
  if (declared === undefined) return { is: 'undeclared' }
  let schema: unknown = declared
  let optional = false
  for (const name of segments) {
    schema = followReference(schema, definitions)
    if (!isJsonObject(schema)) return { is: 'undeclared' }
    // The length of a list is unknown: its items count as present if the list is.
    if (schema.type === 'array' && isIndex(name)) return { is: optional ? 'optional' : 'required' }
    const { properties, required, additionalProperties } = schema
    if (schema.type !== 'object' || !isJsonObject(properties)) return { is: 'undeclared' }
    if (!Object.hasOwn(properties, name)) {
      const isOpen =
        isJsonObject(additionalProperties) || additionalProperties === true || 'patternProperties' in schema
      if (isOpen) return { is: 'undeclared' }
      return { is: 'unknown', name, suggestions: nearest(name, Object.keys(properties)) }
    }
    optional ||= !(Array.isArray(required) && required.includes(name))
    schema = properties[name]
  }
  return { is: optional ? 'optional' : 'required' }
}

/** Follows `$ref` to the schema that it refers to; undefined if the references form a cycle. */
function followReference(schema: unknown, definitions: Readonly<Record<string, Schema>>): unknown {
  let found = schema
  for (let steps = 0; steps < 32; steps++) {
    const reference = isJsonObject(found) ? own(found, '$ref') : undefined
    if (typeof reference !== 'string') return found
    found = own(definitions, reference.replace(/^#\/\$defs\//, ''))
  }
  return undefined
}
