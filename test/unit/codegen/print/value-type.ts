/** The type of exactly one JSON value, written without the code under test. */
export function valueType(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueType).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${valueType(member)}`,
  )
  return `{ ${members.join('; ')} }`
}
