import { tolerantCheck } from '../check-tree/tolerant-check.ts'
import type { Problem } from '../errors.ts'
import { isTooDeep } from '../json/is-too-deep.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { maximumValueDepth } from '../json/json-copy.ts'
import { jsonOr } from '../json/json-or.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { pointerNames } from '../json/pointer-names.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Check } from '../schema/validator.ts'

/** Most levels of quotes: a value that was written as text may contain others. */
const mostLevels = 8

/**
 * Reads arguments that were written as JSON text, such as `"5"` or `"[1]"`, where their schema takes no such text: models and
 * servers quote them, above all where a parameter has several types, and would do so again if they were refused
 * (vllm-project/vllm#36032, sgl-project/sglang#30832, earendil-works/pi#9931). What is text to the schema stays text.
 *
 * @returns The same arguments if there are none. Never changes its input.
 *
 * @example
 * withoutQuotes({ n: '5', code: '5' }, { properties: { n: { type: ['integer', 'null'] }, code: { type: 'string' } } })
 * // { n: 5, code: '5' }
 */
export function withoutQuotes(given: unknown, schema: JsonSchema): unknown {
  const spelt = speller()
  if (isTooDeep(given, maximumValueDepth) || !hasQuoted(given, spelt)) return given
  const check = checkOf(schema)
  let read = given
  for (let level = 0; level < mostLevels; level++) {
    const places = [...wrongPlaces(check, read)].filter((place) => isQuoted(textAt(read, place), spelt))
    if (places.length === 0) break
    const wrong = wrongPlaces(check, unquotedAt(read, new Set(places), spelt))
    // What is wrong within a value is for the model to read; a value that is no better than its text stays a text.
    const right = new Set(places.filter((place) => !wrong.has(place)))
    if (right.size === 0) break
    read = unquotedAt(read, right, spelt)
  }
  return read
}

const checks = new WeakMap<JsonSchema, Check>()

function checkOf(schema: JsonSchema): Check {
  const check = checks.get(schema) ?? tolerantCheck(schema)
  checks.set(schema, check)
  return check
}

/** Returns the JSON pointers of the values that a check refuses. */
function wrongPlaces(check: Check, value: unknown): Set<string> {
  const problems: Problem[] = []
  check(value, '', problems)
  return new Set(problems.map(({ path }) => path))
}

/** Returns the value that a text spells; undefined if it spells none, or one that a number or a Call cannot hold. */
type Speller = (text: string) => unknown

/** A speller that reads each text once. */
function speller(): Speller {
  const known = new Map<string, unknown>()
  return (text) => {
    if (!known.has(text)) known.set(text, speltBy(text))
    return known.get(text)
  }
}

function speltBy(text: string): unknown {
  const value = jsonOr(text, undefined)
  // A number would change the last digits of an id.
  const isLost = Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'string' || isLost || isTooDeep(value, maximumValueDepth) ? undefined : value
}

function isQuoted(value: unknown, spelt: Speller): boolean {
  return typeof value === 'string' && spelt(value) !== undefined
}

function hasQuoted(value: unknown, spelt: Speller): boolean {
  if (typeof value !== 'object' || value === null) return isQuoted(value, spelt)
  return Object.values(value).some((part) => hasQuoted(part, spelt))
}

function textAt(value: unknown, pointer: string): unknown {
  let part = value
  for (const name of pointerNames(pointer)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    part = (part as JsonObject)[name]
  }
  return part
}

/** Copies a value, with what the texts at some places spell in place of them. */
function unquotedAt(value: unknown, places: ReadonlySet<string>, spelt: Speller, at = ''): unknown {
  if (typeof value === 'string') return places.has(at) ? spelt(value) : value
  if (Array.isArray(value)) {
    return value.map((part, index) => unquotedAt(part, places, spelt, `${at}/${index}`))
  }
  if (!isJsonObject(value)) return value
  // `fromEntries` defines own properties, including one named `__proto__`.
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      return [name, unquotedAt(part, places, spelt, `${at}/${pointerSegment(name)}`)]
    }),
  )
}
