import { isJsonObject } from '../../runtime/json/json.ts'
import { expressionKey, stringLiteral } from './literal.ts'

/**
 * Prints the type of a schema itself, on one line. JSON is its own literal type, except that descriptions are typed as strings.
 */
export function schemaType(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(schemaType).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    const isText = name === 'description' && typeof member === 'string'
    members.push(`${expressionKey(name)}: ${isText ? 'string' : schemaType(member)}`)
  }
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
