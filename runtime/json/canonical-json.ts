import { isJsonObject } from './json.ts'

/**
 * Writes JSON with the keys of every object sorted by code unit: one text for values that are the same JSON. Members
 * that are undefined are left out; elsewhere `undefined` and `NaN`, which JSON would turn into null, stay apart from it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`
  if (!isJsonObject(value)) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  let members = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key])}`
  }
  return `{${members}}`
}
