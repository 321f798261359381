import type { RegistryState } from '../call/registry-state.ts'
import type { ComposeOptions } from '../compose/compose.ts'
import { isJsonObject, own } from '../json/json.ts'
import type { Schema } from '../schema/schema.ts'

type Kinds = NonNullable<ComposeOptions['kinds']>

/** Returns a registry's options for `compose`, with the Ideas that a Call may be delegated to. */
export function composeOptionsNow({ compose = {}, ideas }: RegistryState): ComposeOptions {
  const { contextText, kinds, ...options } = compose
  const declared = contextText === undefined ? kinds : { ...parsedKinds(contextText), ...kinds }
  return { ...options, ...(declared && { kinds: declared }), delegates: [...ideas.keys()] }
}

const parsed = new Map<string, Kinds>()

/**
 * Parses the schemas of Message kinds in generated wiring, once per text. Each gets the shared definitions as `$defs`.
 */
function parsedKinds(text: string): Kinds {
  const known = parsed.get(text)
  if (known) return known
  const value: unknown = JSON.parse(text)
  const found = isJsonObject(value) ? own(value, 'kinds') : undefined
  const $defs = isJsonObject(value) ? own(value, 'definitions') : undefined
  const kinds = Object.entries(isJsonObject(found) ? found : {}).map(([kind, schema]) => [
    kind,
    isJsonObject(schema) && $defs !== undefined ? { $defs, ...schema } : (schema as Schema),
  ])
  const made: Kinds = Object.fromEntries(kinds)
  parsed.set(text, made)
  return made
}
