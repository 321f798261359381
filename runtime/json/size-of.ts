/**
 * Counts the characters of a value's texts and names, and one for each other part: about what it takes to keep it. Not recursive,
 * since it may nest too deep.
 */
export function sizeOf(value: unknown): number {
  let size = 0
  const open = [value]
  while (open.length > 0) {
    const part = open.pop()
    size += typeof part === 'string' ? part.length : 1
    if (typeof part !== 'object' || part === null) continue
    for (const [name, member] of Object.entries(part)) {
      size += name.length
      open.push(member)
    }
  }
  return size
}
