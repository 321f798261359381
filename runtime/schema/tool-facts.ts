import { own } from '../json/json.ts'
import { type FixedFields, fixedFields } from './fixed-fields.ts'
import { fixedValue } from './fixed-value.ts'
import { type MetaField, metaFieldNames } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { Effects, Schema, ToolSchema } from './schema.ts'

/**
 * The facts about a Tool that running its Calls needs, computed from the schema once. Generated wiring contains them, so that a
 * process with a thousand Tools parses only the schemas that it uses.
 */
export interface ToolFacts {
  readonly name: string
  /** False if the Tool has no `_output`, so that its Activity returns nothing (TOOL-6). */
  readonly hasOutput: boolean
  /** Declared meta-fields, in the order of REQ-1. */
  readonly meta: readonly MetaField[]
  /** The fixed value of `_activity`: a name, or `''` for latent; absent if the Tool does not fix it (ACT-3). */
  readonly activity?: string
  /**
   * The file that registers its Activity, relative to the project (ACT-3b). Only generated wiring knows it.
   */
  readonly implementedIn?: string
  /** The fixed value of `_delegate`. */
  readonly delegate?: string
  /** The fixed value of `_scopes` (SCOPE-2). */
  readonly scopes?: readonly string[]
  /** The fixed meta-fields about outputs, which Calls may leave out (OUT-1). */
  readonly fixed?: FixedFields
  readonly effects?: Effects
  readonly parser?: 'json' | 'tuple'
  /** Properties with a leading underscore that are parameters nonetheless. */
  readonly parameters?: readonly string[]
  /** The parameters in which `references: false` disables References (REF-5): `true` for all, or their names. */
  readonly literal?: true | readonly string[]
  /** Set if the Tool is disabled. */
  readonly enabled?: false
}

/** Computes the facts about a Tool from its schema. */
export function toolFacts(name: string, schema: ToolSchema): ToolFacts {
  const properties = schema.properties ?? {}
  const activity = fixedString(own(properties, '_activity'))
  const delegate = fixedString(own(properties, '_delegate') ?? own(properties, olderDelegateName))
  const scopes = fixedStrings(own(properties, '_scopes'))
  const fixed = fixedFields(properties)
  const literal = literalParameters(schema)
  return {
    name,
    hasOutput: Object.hasOwn(properties, '_output'),
    meta: declaredMetaFields(properties),
    ...(activity !== undefined && { activity }),
    ...(delegate !== undefined && { delegate }),
    ...(scopes && { scopes }),
    ...(fixed && { fixed }),
    ...(schema.effects && { effects: schema.effects }),
    ...(schema.parser && { parser: schema.parser }),
    ...(schema.parameters?.length && { parameters: schema.parameters }),
    ...(literal !== undefined && { literal }),
    ...(schema.enabled === false && { enabled: false as const }),
  }
}

function literalParameters({ references, properties = {} }: ToolSchema): ToolFacts['literal'] {
  if (references === false) return true
  const names = Object.keys(properties).filter((name) => {
    const property = properties[name]
    return typeof property === 'object' && property.references === false
  })
  return names.length > 0 ? names : undefined
}

function fixedString(schema: unknown): string | undefined {
  const value = fixedValue(schema)
  return typeof value === 'string' ? value : undefined
}

function fixedStrings(schema: unknown): string[] | undefined {
  const value = fixedValue(schema)
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined
}

function declaredMetaFields(properties: Record<string, Schema>): MetaField[] {
  return metaFieldNames.filter(
    (name) =>
      Object.hasOwn(properties, name) ||
      (name === '_delegate' && Object.hasOwn(properties, olderDelegateName)),
  )
}
