import { isJsonObject } from '../../runtime/json/json.ts'
import { expressionKey, stringLiteral } from './literal.ts'

/**
 * A schema as the type of itself, on one line. JSON is a literal type as it stands; descriptions are texts, which no type
 * needs to repeat.
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
