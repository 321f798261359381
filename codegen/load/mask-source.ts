const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/
/** A slash begins a regular expression only where a value may begin; elsewhere it divides. */
const regularExpression =
  /(?=\/)(?<=(?:^|[=(,:[!&|?{};>\n]|\b(?:return|typeof|case))\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//
const parts = [comment, text, regularExpression].map(({ source }) => source).join('|')

/** Whether to blank only comments, or the insides of strings and regular expressions as well. */
export type Masked = 'comments' | 'comments and strings'

/**
 * Blanks what is not code in a source text and keeps its length, so that positions still hold: a scan that follows
 * meets neither commented-out definitions nor prose. The expressions in templates are code.
 */
export function maskSource(source: string, what: Masked): string {
  const part = new RegExp(`${parts}|\``, 'g')
  let masked = ''
  let at = 0
  for (let found = part.exec(source); found; found = part.exec(source)) {
    const { 0: begun, index } = found
    const end = begun === '`' ? templateEnd(source, index) : part.lastIndex
    // A mark that ends nowhere is text between tags, for example.
    if (end === undefined) continue
    const whole = source.slice(index, end)
    const isComment = begun.startsWith('//') || begun.startsWith('/*')
    masked += source.slice(at, index)
    if (isComment) masked += blank(whole)
    else if (begun === '`') masked += maskTemplate(whole, what)
    else masked += what === 'comments' ? whole : whole[0] + blank(whole.slice(1, -1)) + whole.slice(-1)
    at = part.lastIndex = end
  }
  return masked + source.slice(at)
}

function maskTemplate(template: string, what: Masked): string {
  const mask = (text: string): string => (what === 'comments' ? text : blank(text))
  let masked = '`'
  let at = 1
  for (const { start, end } of expressionsOf(template)) {
    masked += `${mask(template.slice(at, start))}\${${maskSource(template.slice(start + 2, end - 1), what)}}`
    at = end
  }
  return `${masked + mask(template.slice(at, -1))}\``
}

/** Where the template that begins at an offset ends, with the templates in it; undefined where it does not. */
function templateEnd(source: string, start: number): number | undefined {
  const mark = /\\[\s\S]|`|\$\{/g
  mark.lastIndex = start + 1
  for (let found = mark.exec(source); found; found = mark.exec(source)) {
    if (found[0] === '`') return mark.lastIndex
    if (found[0] !== '${') continue
    const end = expressionEnd(source, mark.lastIndex)
    if (end === undefined) return undefined
    mark.lastIndex = end
  }
  return undefined
}

/** The expressions of a template, from `${` to behind `}`. */
function expressionsOf(template: string): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = []
  const mark = /\\[\s\S]|\$\{/g
  for (let next = mark.exec(template); next; next = mark.exec(template)) {
    const end = next[0] === '${' ? expressionEnd(template, mark.lastIndex) : undefined
    if (end === undefined) continue
    found.push({ start: next.index, end })
    mark.lastIndex = end
  }
  return found
}

/** Behind the brace that ends the expression in a template. */
function expressionEnd(source: string, start: number): number | undefined {
  const part = new RegExp(`${parts}|[\`{}]`, 'g')
  part.lastIndex = start
  let depth = 0
  for (let found = part.exec(source); found; found = part.exec(source)) {
    if (found[0] === '{') depth++
    else if (found[0] === '}' && depth-- === 0) return part.lastIndex
    else if (found[0] === '`') {
      const end = templateEnd(source, found.index)
      if (end === undefined) return undefined
      part.lastIndex = end
    }
  }
  return undefined
}

function blank(part: string): string {
  return part.replace(/[^\n]/g, ' ')
}
