import { isJsonObject } from '../../runtime/json/json.ts'

/** Prints JSON with line breaks down to a depth. Deeper values are printed on one line, so that a diff of many is short. */
export function jsonLines(value: unknown, depth: number, indent: string = ''): string {
  const inner = `${indent}  `
  if (depth > 0 && Array.isArray(value) && value.length > 0) {
    return `[\n${value.map((item) => inner + jsonLines(item, depth - 1, inner)).join(',\n')}\n${indent}]`
  }
  if (depth > 0 && isJsonObject(value) && Object.keys(value).length > 0) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const lines = members.map(
      ([key, member]) => `${inner}${JSON.stringify(key)}: ${jsonLines(member, depth - 1, inner)}`,
    )
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  return JSON.stringify(value)
}
