import { isJsonObject } from '../../runtime/json/json.ts'
import { expressionKey, jsonExpression } from './literal.ts'

/** How long a value may be to stand on one line, in characters. */
const lineLength = 100

/** JSON data as a TypeScript expression over several lines, so that a diff shows the member that changed. */
export function jsonBlock(value: unknown, indent: string = ''): string {
  if (!isLong(value)) {
    const line = jsonExpression(value)
    if (line.length + indent.length <= lineLength) return line
  }
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${jsonBlock(item, inner)},\n`).join('')}${indent}]`
  }
  if (!isJsonObject(value)) return jsonExpression(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{\n${members.map(([key, member]) => `${inner}${expressionKey(key)}: ${jsonBlock(member, inner)},\n`).join('')}${indent}}`
}

/**
 * Too long for one line, whichever quotes and escapes its expression takes: none is less than half as long as the JSON
 * text, which is much cheaper to have. Saves printing every level of a deep value only to find that it does not fit.
 */
function isLong(value: unknown): boolean {
  return isJsonObject(value) && JSON.stringify(value).length > 2 * (lineLength + 1)
}
