/** A JSON Schema (2020-12) as plain data. `true` and `false` are schemas too. */
export type Schema = JsonSchema | boolean

/** The object form of a JSON Schema. Lists the keywords that Callsheet reads; any other is allowed too. */
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
 * A registered Tool: a JSON Schema of type `object`, plain data. The options of TOOL-9 are annotations on it, so that they
 * survive JSON and hand-written schemas can have them too.
 */
export interface ToolSchema extends JsonSchema {
  properties?: Record<string, Schema>
  required?: string[]
  /** What the Activity does to the world. If absent, the Tool may be raced and is not retried. */
  effects?: Effects
  /** `false`: the Tool is neither offered to models nor runnable. */
  enabled?: boolean
  /** How arguments as text are parsed (CALL-9): JSON (the default) or a positional tuple. */
  parser?: 'json' | 'tuple'
  /** Properties with a leading underscore that are parameters nonetheless (TOOL-2). */
  parameters?: string[]
  deprecated?: boolean
  examples?: unknown[]
  /** `false`: models cannot write References in this Tool's parameters (REF-5). */
  references?: false
}
