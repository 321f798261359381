import { ts } from 'ts-morph'

/** Returns the regular expression of a template literal type: `` `user-${number}` `` gives `^user-<number>$`. */
export function templatePattern({ texts, types }: ts.TemplateLiteralType): string {
  const parts = texts.map((text, index) => escaped(text) + placeholder(types[index]))
  return `^${parts.join('')}$`
}

function placeholder(type: ts.Type | undefined): string {
  if (type === undefined) return ''
  if (type.flags & ts.TypeFlags.Number) return '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?'
  if (type.flags & ts.TypeFlags.BigInt) return '-?\\d+'
  return '[\\s\\S]*'
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
