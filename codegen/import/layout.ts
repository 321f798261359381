/** Lines are kept to this many columns wherever something can be broken. */
const width = 110

/** A piece of TypeScript source that can be laid out on one line or on several. */
export type Layout = Text | List | Call

interface Laid {
  /** The piece on one line; undefined when it is too long for any line, or has comments. */
  readonly flat: string | undefined
}

interface Text extends Laid {
  readonly kind: 'text'
  readonly text: string
}

interface List extends Laid {
  readonly kind: 'list'
  readonly brackets: '[]' | '{}'
  readonly items: readonly Item[]
}

interface Call extends Laid {
  readonly kind: 'call'
  readonly callee: string
  readonly values: readonly Layout[]
}

/** A member of an array or object literal. */
export interface Item {
  /** The name of a property, as source text. */
  readonly key?: string
  readonly value: Layout
  /** A line above it; harmless text without line breaks. */
  readonly comment?: string
}

export function text(source: string): Layout {
  return { kind: 'text', text: source, flat: fitting(source) }
}

export function array(values: readonly Layout[]): Layout {
  return list(
    '[]',
    values.map((value) => ({ value })),
  )
}

export function object(items: readonly Item[]): Layout {
  return list('{}', items)
}

export function call(callee: string, values: readonly Layout[]): Layout {
  const inner = joined(values)
  return {
    kind: 'call',
    callee,
    values,
    flat: inner === undefined ? undefined : fitting(`${callee}(${inner})`),
  }
}

/** @param column Where the text begins on its line. */
function print(layout: Layout, indent = '', column: number = indent.length, tail = 0): string {
  const { flat } = layout
  if (flat !== undefined && column + flat.length + tail <= width) return flat
  return printBroken(layout, indent, column, tail)
}

function printBroken(layout: Layout, indent: string, column: number, tail: number): string {
  if (layout.kind === 'text') return layout.text
  return layout.kind === 'call' ? printCall(layout, indent, column, tail) : printList(layout, indent)
}

/** A list over several lines, whether or not it would fit on one. */
export function printList(layout: Layout, indent = ''): string {
  if (layout.kind !== 'list' || layout.items.length === 0) return layout.flat ?? ''
  const inner = `${indent}  `
  const lines = layout.items.map(({ key, value, comment }) => {
    const start = inner + (key === undefined ? '' : `${key}: `)
    return `${comment === undefined ? '' : `${inner}// ${comment}\n`}${start}${print(value, inner, start.length, 1)},\n`
  })
  const [open, close] = layout.brackets
  return `${open}\n${lines.join('')}${indent}${close}`
}

function list(brackets: '[]' | '{}', items: readonly Item[]): Layout {
  const inner = items.some(({ comment }) => comment !== undefined) ? undefined : joinedItems(items)
  const space = brackets === '{}' && items.length > 0 ? ' ' : ''
  const flat = inner === undefined ? undefined : fitting(brackets[0] + space + inner + space + brackets[1])
  return { kind: 'list', brackets, items, flat }
}

function joinedItems(items: readonly Item[]): string | undefined {
  const parts: string[] = []
  for (const { key, value } of items) {
    if (value.flat === undefined) return undefined
    parts.push(key === undefined ? value.flat : `${key}: ${value.flat}`)
  }
  return parts.join(', ')
}

function joined(values: readonly Layout[]): string | undefined {
  return joinedItems(values.map((value) => ({ value })))
}

/** Arguments stay on the line of the parenthesis, and the longest breaks inside: `Type.Object({`. */
function printCall({ callee, values }: Call, indent: string, column: number, tail: number): string {
  const lengths = values.map(({ flat }) => flat?.length ?? Number.POSITIVE_INFINITY)
  const longest = lengths.indexOf(Math.max(...lengths))
  let source = `${callee}(`
  for (const [index, value] of values.entries()) {
    const lineStart = source.lastIndexOf('\n') + 1
    const at = (lineStart === 0 ? column : 0) + source.length - lineStart
    const isLast = index === values.length - 1
    const printed = index === longest ? printBroken : print
    source += printed(value, indent, at, isLast ? tail + 1 : 2) + (isLast ? '' : ', ')
  }
  return `${source})`
}

function fitting(source: string): string | undefined {
  return source.length <= width ? source : undefined
}
