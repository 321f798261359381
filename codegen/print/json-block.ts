import { isJsonObject } from '../../runtime/json/json.ts'
import { expressionKey, jsonExpression, stringLiteral } from './literal.ts'

/** How long a value may be to stand on one line, in characters. */
const lineLength = 100

/** JSON data as a TypeScript expression over several lines, so that a diff shows the member that changed. */
export function jsonBlock(value: unknown, indent: string = ''): string {
  if (roomAfter(value, lineLength - indent.length) >= 0) return jsonExpression(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${jsonBlock(item, inner)},\n`).join('')}${indent}]`
  }
  if (!isJsonObject(value)) return jsonExpression(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{\n${members.map(([key, member]) => `${inner}${expressionKey(key)}: ${jsonBlock(member, inner)},\n`).join('')}${indent}}`
}

/**
 * What is left of so much room on a line when a value has been printed there by {@link jsonExpression}; below zero when it
 * does not fit. It stops where the room ends: a deep value is not printed at every level only to find that it is long.
 */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return value.length > room ? -1 : room - stringLiteral(value).length
  if (Array.isArray(value)) {
    let left = room - '[]'.length
    for (const [index, item] of value.entries()) {
      if (left < 0) return left
      left = roomAfter(item, index === 0 ? left : left - ', '.length)
    }
    return left
  }
  if (!isJsonObject(value)) return room - jsonExpression(value).length
  let left = room - '{}'.length
  let isFirst = true
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue
    if (left < 0) return left
    left -= (isFirst ? '  ' : ', ').length + expressionKey(key).length + ': '.length
    left = roomAfter(value[key], left)
    isFirst = false
  }
  return left
}
