import { own } from '../json/json.ts'
import { type FixedFields, fixedFields } from './fixed-fields.ts'
import { fixedValue } from './fixed-value.ts'
import { type MetaField, metaFieldNames } from './meta-fields.ts'
import { olderDelegateName } from './older-delegate-name.ts'
import type { Effects, Schema, ToolSchema } from './schema.ts'

/**
 * What running a Call needs to know of its Tool, read off the schema once. Generated wiring carries it precomputed, so
 * that a process with a thousand Tools parses only the schemas that it uses.
 */
export interface ToolFacts {
  readonly name: string
  /** False for a Tool whose Activity is `void` (TOOL-6). */
  readonly hasOutput: boolean
  /** Declared meta-fields, in the order of REQ-1. */
  readonly meta: readonly MetaField[]
  /** `_activity` as the Tool fixes it: a name, `''` for latent; absent when it says nothing (ACT-3). */
  readonly activity?: string
  /**
   * The file that registers its Activity, relative to the project (ACT-3b). Only generated wiring knows it.
   */
  readonly implementedIn?: string
  /** `_delegate` as the Tool fixes it. */
  readonly delegate?: string
  /** `_scopes` as the Tool provisions it (SCOPE-2). */
  readonly scopes?: readonly string[]
  /** Where the Tool's word says that outputs go, for Calls that say nothing (OUT-1). */
  readonly fixed?: FixedFields
  readonly effects?: Effects
  readonly parser?: 'json' | 'tuple'
  /** Underscore properties that are parameters all the same. */
  readonly parameters?: readonly string[]
  /** Where `references: false` says that text is text (REF-5): `true` everywhere, or the names of the parameters. */
  readonly literal?: true | readonly string[]
  /** Set when the Tool is switched off. */
  readonly enabled?: false
}

/** Reads the facts off a Tool's schema. */
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
