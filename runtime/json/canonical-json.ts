import { byCodeUnit, isJsonObject } from './json.ts'

/**
 * Writes JSON with the keys of every object sorted by code unit: one text for values that are the same JSON. Members
 * that are undefined are left out; elsewhere `undefined` and `NaN`, which JSON would turn into null, stay apart from it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (isJsonObject(value)) {
    const members: string[] = []
    for (const key of Object.keys(value).sort(byCodeUnit)) {
      const member = value[key]
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
    }
    return `{${members.join()}}`
  }
  if (typeof value === 'string') return JSON.stringify(value)
  return typeof value === 'number' && value === 0 ? '0' : String(value)
}
