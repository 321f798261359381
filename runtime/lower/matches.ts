/** Tests a pattern as Ajv does. One that this engine cannot read decides nothing. */
export function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}
