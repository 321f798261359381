import { isJsonObject } from './json.ts'

/**
 * Serialises JSON with the keys of every object sorted by code unit, so that equal JSON gives equal text. Undefined properties
 * are left out. Elsewhere `undefined` and `NaN` keep their own spelling, while `JSON.stringify` would turn them into null.
 */
export function canonicalJson(value: unknown): string {
  // `map` would leave out the holes of a sparse array.
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson)}]`
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  let members = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`
  }
  return `{${members}}`
}
