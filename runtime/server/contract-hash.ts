import { byCodeUnit, isJsonObject } from '../json/json.ts'
import type { ToolSchema } from '../schema/schema.ts'

/** Keywords that describe and do not decide: two sides may word them differently and understand each other. */
const wording: ReadonlySet<string> = new Set([
  'title',
  'description',
  'examples',
  'default',
  'deprecated',
  '$comment',
  'effects',
  'parser',
])

/**
 * A hash of what a Tool takes and gives, the same on both sides of a connection: SHA-256 over its schema as canonical JSON,
 * without what only describes, as 16 hexadecimal digits.
 */
export async function contractHash(schema: ToolSchema): Promise<string> {
  return hashOf(wireForm(schema))
}

/** SHA-256 of a JSON value in canonical form, as 16 hexadecimal digits. */
export async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(canonical(value)))
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Names of properties are data wherever a keyword maps names to schemas. */
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas'])
const data: ReadonlySet<string> = new Set(['const', 'enum', 'required'])

function wireForm(schema: unknown, isMap = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => wireForm(item))
  if (!isJsonObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isMap || !wording.has(key))
      .map(([key, value]) => [
        key,
        !isMap && data.has(key) ? value : wireForm(value, !isMap && maps.has(key)),
      ]),
  )
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (!isJsonObject(value)) return value
  const keys = Object.keys(value).sort(byCodeUnit)
  return Object.fromEntries(keys.map((key) => [key, canonical(value[key])]))
}

/** Where two contracts of a Tool differ, as JSON pointers into the schema; the first twenty. */
export function contractDifferences(left: ToolSchema, right: ToolSchema): string[] {
  const found: string[] = []
  compare(wireForm(left), wireForm(right), '', found)
  return found.slice(0, 20)
}

function compare(left: unknown, right: unknown, path: string, found: string[]): void {
  if (found.length >= 20) return
  if (isJsonObject(left) && isJsonObject(right)) {
    for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort(byCodeUnit)) {
      compare(left[key], right[key], `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found)
    }
  } else if (JSON.stringify(canonical(left)) !== JSON.stringify(canonical(right))) found.push(path)
}
