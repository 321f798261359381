import type { Problem } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { shorten } from './shorten.ts'

/** How much of a wrong value a problem shows, in characters. */
const shownLength = 60

/** How much of a value that a schema asks for: who is to write it needs all of it, as far as that can be. */
const wantedLength = 400

/** How much of a path a message shows, in characters: names of properties come from models too. */
const shownPath = 200

/** How many problems a message spells out. */
export const saidProblems = 20

/** Builds the problem of a value that is not what was expected. */
export function problem(path: string, expected: string, value: unknown): Problem {
  const received = briefly(value)
  return saidProblem(path, expected, received, `expected ${expected}, got ${received}`)
}

/** What is expected where a property may not be. */
export const noSuchProperty = 'no such property'

/** Builds the problem of a property that may not be there, with what its author may have meant. */
export function extraProperty(path: string, value: unknown, suggestions: readonly string[]): Problem {
  const guess = suggestions.map((name) => JSON.stringify(name)).join(' or ')
  return saidProblem(
    path,
    noSuchProperty,
    briefly(value),
    noSuchProperty + (guess && `; did you mean ${guess}?`),
  )
}

/** Says what is wrong in one sentence of bounded length; all of it stands in the error's `problems`. */
export function listProblems(problems: readonly Problem[]): string {
  const last = problems.at(-1)
  const uncounted = last?.expected === noFurther ? Number.parseInt(last.received.replace(/^\D+/, ''), 10) : 0
  const said = uncounted > 0 ? problems.slice(0, -1) : problems
  return listSome(
    said.map((each) => each.message),
    saidProblems,
    '; ',
    uncounted,
  )
}

/** What stands for the problems that a check has counted and not listed. */
const noFurther = 'no further problems'

/** Builds what stands at the end of a list of problems for those that are left out. */
export function furtherProblems(count: number, isExact: boolean): Problem {
  const received = `${isExact ? '' : 'at least '}${count} more`
  return saidProblem('', noFurther, received, `and ${received}`)
}

/** Ends a sentence that may be a question already: `did you mean "units"?`. */
export function ended(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Joins the first texts of a list, and says how many are left out, with those that were left out before. */
export function listSome(
  texts: readonly string[],
  most: number,
  separator: string,
  uncounted: number = 0,
): string {
  const said = texts.slice(0, most).join(separator)
  const rest = Math.max(0, texts.length - most) + uncounted
  return rest > 0 ? `${said}${separator}and ${rest} more` : said
}

/** Builds a problem whose sentence is there already, behind a path of bounded length. */
export function saidProblem(path: string, expected: string, received: string, sentence: string): Problem {
  const place = path === '' ? '' : `${shorten(path, shownPath)}: `
  return { path, expected, received, message: place + sentence }
}

/** How many alternatives a sentence lists. */
const saidAlternatives = 20

/** How many characters a list of alternatives may take: those of nested unions nest in it. */
const longestAlternatives = 1000

/** Lists alternatives as a sentence does: `a`, `a or b`, `a, b or c`; many of them cut, with their number. */
export function oneOfWords(words: readonly string[]): string {
  const last = words.at(-1) ?? 'nothing'
  if (words.length > saidAlternatives) {
    return shorten(
      `${words.slice(0, saidAlternatives).join(', ')}, … (${words.length} in all)`,
      longestAlternatives,
    )
  }
  return words.length > 1 ? shorten(`${words.slice(0, -1).join(', ')} or ${last}`, longestAlternatives) : last
}

/**
 * Renders a value for people in a bounded number of characters. The value may be cyclic, huge, no JSON at all, or throw when
 * it is looked at; a missing one reads `nothing`.
 *
 * @example briefly({ a: [1, 2] }) // '{"a":[1,2]}'
 */
export function briefly(value: unknown): string {
  try {
    return shorten(render(value, shownLength), shownLength)
  } catch {
    return 'what cannot be read'
  }
}

/** Renders a value that a schema asks for, which is its author's and not a model's. */
export function wantedValue(value: unknown): string {
  return shorten(render(value, wantedLength), wantedLength)
}

/** `room`: characters that are still worth rendering. Each level takes at least one, so cycles end too. */
function render(value: unknown, room: number): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > room ? value.slice(0, room) : value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (Array.isArray(value)) return `[${renderEach(value, room - 1, (item, left) => render(item, left))}]`
  if (!isJsonObject(value)) return String(value)
  const entry = (key: string, left: number) => `${render(key, left)}:${render(value[key], left - key.length)}`
  return `${classOf(value)}{${renderEach(Object.keys(value), room - 1, entry)}}`
}

/** `Promise ` or `Date `, whose members do not say what they are. */
function classOf(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `${name} ` : ''
}

function renderEach<Item>(
  items: readonly Item[],
  room: number,
  show: (item: Item, room: number) => string,
): string {
  let text = ''
  for (const [index, item] of items.entries()) {
    if (text.length >= room) return `${text},…`
    text += (index > 0 ? ',' : '') + show(item, room - text.length)
  }
  return text
}
