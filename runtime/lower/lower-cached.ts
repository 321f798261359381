import type { DialectName } from '../dialects/dialect-name.ts'
import { copyJson } from '../json/json-copy.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { type LoweredSchema, type LowerOptions, lower } from './lower.ts'
import { type Counts, countSchema } from './usage.ts'

/** A lowered schema that can count itself for the limits of dialects. */
export interface CountedSchema extends LoweredSchema {
  /** Counts the schema, once. */
  readonly count: () => Counts
}

/** Most characters of declared schemas whose results are kept: thousands of usual Tools. */
const mostCharacters = 4_000_000

/** Results by dialect, options and JSON text of the declared schema; the least recently used first. */
const results = new Map<string, CountedSchema>()
let characters = 0

/**
 * Lowers as {@link lower} does, and reuses the result for an equal schema: the turns of a run mostly offer the same Tools. The
 * `schema` of the result is a copy, so that a client which changes what it sends does not change later requests.
 *
 * @throws CallsheetError as {@link lower}.
 */
export function lowerCached(
  schema: JsonSchema,
  dialect: DialectName,
  options: LowerOptions = {},
): CountedSchema {
  const key = JSON.stringify([dialect, options.use, options.tool, schema])
  const known = results.get(key)
  results.delete(key)
  const result = known ?? counted(lower(schema, dialect, options))
  results.set(key, result)
  if (!known) {
    characters += key.length
    forgetOldest()
  }
  return { ...result, schema: copyJson(result.schema) }
}

function counted(lowered: LoweredSchema): CountedSchema {
  let counts: Counts | undefined
  return {
    ...lowered,
    count() {
      counts ??= countSchema(lowered.schema)
      return counts
    },
  }
}

function forgetOldest(): void {
  for (const key of results.keys()) {
    if (characters <= mostCharacters) return
    results.delete(key)
    characters -= key.length
  }
}
