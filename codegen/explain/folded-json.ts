/** The longest line, in characters. */
const width = 110

/**
 * Prints JSON compactly: a value that fits on a line is printed on one. Parses back to the same value.
 */
export function foldedJson(value: unknown, indent = ''): string {
  const line = onOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== 'object')) return `[\n${filled(value, inner)}\n${indent}]`
    return `[\n${value.map((item) => inner + foldedJson(item, inner)).join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${foldedJson(member, inner)}`)
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** Fills lines with as many items as fit, so that a long enum stays short. */
function filled(items: readonly unknown[], indent: string): string {
  const lines: string[] = []
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item) + (index < items.length - 1 ? ',' : '')
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + text.length <= width)
      lines[lines.length - 1] = `${last} ${text}`
    else lines.push(indent + text)
  }
  return lines.join('\n')
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
