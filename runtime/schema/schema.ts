/** A JSON Schema (2020-12) as plain data. `true` and `false` are schemas too. */
export type Schema = JsonSchema | boolean

/** The object form of a JSON Schema. Keywords that Callsheet reads are named; any other may stand beside them. */
export interface JsonSchema {
  $id?: string
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  title?: string
  description?: string
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  patternProperties?: Record<string, Schema>
  propertyNames?: Schema
  items?: Schema | Schema[]
  prefixItems?: Schema[]
  additionalItems?: Schema
  contains?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  not?: Schema
  [keyword: string]: unknown
}

/** What a Tool does to the world; decides what may be retried, raced or started early (TOOL-9). */
export type Effects = 'read' | 'idempotent' | 'write'

/**
 * A Tool as it is registered: a JSON Schema of type `object`, plain data. The options of TOOL-9 stand on it as
 * annotations, so that they survive JSON and hand-written schemas can carry them as well.
 */
export interface ToolSchema extends JsonSchema {
  properties?: Record<string, Schema>
  required?: string[]
  /** What the Activity does to the world. Not said: may be raced, is not retried. */
  effects?: Effects
  /** A Tool that is off is neither composed nor runnable. */
  enabled?: boolean
  /** How text arguments of this Tool are read (CALL-9): JSON (the default) or a positional tuple. */
  parser?: 'json' | 'tuple'
  /** Underscore properties that are parameters all the same (TOOL-2). */
  parameters?: string[]
  deprecated?: boolean
  examples?: unknown[]
  /** `false`: a model is not offered to write References in this Tool's parameters (REF-5). */
  references?: false
}
