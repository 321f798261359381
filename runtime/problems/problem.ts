import type { Problem } from '../errors.ts'
import { isJsonObject } from '../json/json.ts'
import { shorten } from './shorten.ts'

/** Longest excerpt of a wrong value in a problem, in characters. */
const shownLength = 60

/** Longest excerpt of an expected value, in characters: whoever corrects the Call needs all of it, if possible. */
const wantedLength = 400

/** Longest excerpt of a path, in characters: property names can come from models. */
const shownPath = 200

/** Most problems that a message spells out. */
export const saidProblems = 20

/** Builds the problem of an unexpected value. */
export function problem(path: string, expected: string, value: unknown): Problem {
  const received = briefly(value)
  return saidProblem(path, expected, received, `expected ${expected}, got ${received}`)
}

/** The `expected` of a property that is not allowed. */
export const noSuchProperty = 'no such property'

/** Builds the problem of a property that is not allowed, with the names that may have been meant. */
export function extraProperty(path: string, value: unknown, suggestions: readonly string[]): Problem {
  const guess = suggestions.map((name) => JSON.stringify(name)).join(' or ')
  return saidProblem(
    path,
    noSuchProperty,
    briefly(value),
    noSuchProperty + (guess && `; did you mean ${guess}?`),
  )
}

/** Joins problems into one sentence of bounded length; the error's `problems` has all of them. */
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

/** Marks the entry that stands for problems a check has counted but not listed. */
const noFurther = 'no further problems'

/** Most problems that an error lists; the others are counted. Hostile input may have one for each of its values. */
export const mostProblems = 100

/** Builds the last entry of a list of problems: the number of problems left out. */
export function furtherProblems(count: number, isExact: boolean): Problem {
  const received = `${isExact ? '' : 'at least '}${count} more`
  return saidProblem('', noFurther, received, `and ${received}`)
}

/** Adds a full stop, unless the sentence already ends in punctuation: `did you mean "units"?`. */
export function ended(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}

/** Joins the first texts of a list and appends how many are left out, including `uncounted` ones that never were in it. */
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

/** Builds a problem from a finished sentence, prefixed with its path, which is shortened if necessary. */
export function saidProblem(path: string, expected: string, received: string, sentence: string): Problem {
  const place = path === '' ? '' : `${shorten(path, shownPath)}: `
  return { path, expected, received, message: place + sentence }
}

/** Most alternatives that a sentence lists. */
const saidAlternatives = 20

/** Longest list of alternatives, in characters: those of nested unions are nested too. */
const longestAlternatives = 1000

/** Lists alternatives as prose: `a`, `a or b`, `a, b or c`; a long list is cut and its length appended. */
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
 * Renders a value for people in a bounded number of characters. The value may be cyclic, huge, not JSON, or throw when it is
 * read; `undefined` is rendered as `nothing`.
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

/** Renders a value that a schema asks for: written by the schema's author, so a longer excerpt is safe. */
export function wantedValue(value: unknown): string {
  return shorten(render(value, wantedLength), wantedLength)
}

/** @param room Characters left to render. Each level takes at least one, so cycles end. */
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

/** The class name as a prefix (`Promise `, `Date `), since such objects' properties do not reveal it; `''` for plain objects. */
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
