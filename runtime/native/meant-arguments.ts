import { tolerantCheck } from '../check-tree/tolerant-check.ts'
import type { Problem } from '../errors.ts'
import { isTooDeep } from '../json/is-too-deep.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { maximumValueDepth } from '../json/json-copy.ts'
import { jsonOr } from '../json/json-or.ts'
import { pointerSegment } from '../json/json-pointer.ts'
import { pointerNames } from '../json/pointer-names.ts'
import { noSuchProperty } from '../problems/problem.ts'
import type { JsonSchema } from '../schema/schema.ts'
import type { Check } from '../schema/validator.ts'

/** Most levels of quotes: a value that was written as text may contain others. */
const mostLevels = 8

/**
 * Reads arguments as they are meant. Two ways to write them are taken for what they stand for, where the schema does not take
 * them and takes that. What is text, or null, to the schema stays so.
 *
 * - JSON as a text, such as `"5"` or `"[1]"`: models and servers quote values, above all where a parameter has several types, and
 *   would do so again if they were refused (vllm-project/vllm#36032, sgl-project/sglang#30832, earendil-works/pi#9931).
 * - Null for a property that may be absent, also as the text `"null"`: models write it, and so do clients that make every property
 *   required (openclaw/openclaw#96729, anthropics/claude-code#95239).
 *
 * @returns The same arguments if neither occurs. Never changes its input.
 *
 * @example
 * asMeant({ n: '5', code: '5', to: null }, { properties: { n: { type: 'integer' }, code: { type: 'string' }, to: { type: 'string' } } })
 * // { n: 5, code: '5' }
 */
export function asMeant(given: unknown, schema: JsonSchema): unknown {
  const spelt = speller()
  if (isTooDeep(given, maximumValueDepth) || !holdsAnother(given, spelt)) return given
  const check = checkOf(schema)
  const isAbsent = (part: unknown): boolean => part === null
  // The text "null" is read as null first, and as the absence of a value only where that is refused.
  const readings: Reading[] = [
    { spelt, isAbsent },
    { spelt, isAbsent: (part) => isAbsent(part) || (typeof part === 'string' && isAbsent(spelt(part))) },
  ]
  let read = given
  for (let level = 0; level < mostLevels; level++) {
    const places = [...wrongPlaces(check, read)].filter((place) =>
      mayMeanAnother(valueAt(read, place), spelt),
    )
    const better = betterRead(check, read, places, readings)
    if (better === undefined) break
    read = better
  }
  return read
}

/** Reads the wrong places by the first reading that makes one of them right; undefined if none does. */
function betterRead(
  check: Check,
  given: unknown,
  places: readonly string[],
  readings: readonly Reading[],
): unknown {
  for (const reading of readings) {
    const right = rightPlaces(check, given, places, reading)
    if (right.size > 0) return meantAt(given, right, reading)
  }
  return undefined
}

/**
 * Returns those of the wrong places at which a reading gives what the schema takes. What is wrong within a value is for the model to
 * read; a text that spells nothing better stays, and so does null where a value is required.
 */
function rightPlaces(
  check: Check,
  given: unknown,
  places: readonly string[],
  reading: Reading,
): ReadonlySet<string> {
  if (places.length === 0) return new Set()
  const wrong = wrongPlaces(check, meantAt(given, new Set(places), reading))
  // A record takes its entries under any name. Null may mean there that one is to be deleted.
  const areAbsent = places.some((place) => reading.isAbsent(valueAt(given, place)))
  const entries = areAbsent
    ? wrongPlaces(check, meantAt(given, new Set(places), reading, undeclared))
    : undefined
  return new Set(places.filter((place) => !wrong.has(place) && !entries?.has(place + undeclared)))
}

/** What makes of a property's name one that no schema declares, but that every record takes. */
const undeclared = '\u0000'

const checks = new WeakMap<JsonSchema, Check>()

function checkOf(schema: JsonSchema): Check {
  const check = checks.get(schema) ?? tolerantCheck(schema)
  checks.set(schema, check)
  return check
}

/** Returns the JSON pointers of the values that a check refuses, without those of undeclared properties: a null there says more. */
function wrongPlaces(check: Check, value: unknown): Set<string> {
  const problems: Problem[] = []
  check(value, '', problems)
  return new Set(problems.filter(({ expected }) => expected !== noSuchProperty).map(({ path }) => path))
}

/** How arguments are read: what their texts spell, and which values stand for none. */
interface Reading {
  readonly spelt: Speller
  readonly isAbsent: (part: unknown) => boolean
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

/** True for a value that may mean another: a text that spells one, or null. */
function mayMeanAnother(value: unknown, spelt: Speller): boolean {
  return value === null || (typeof value === 'string' && spelt(value) !== undefined)
}

function holdsAnother(value: unknown, spelt: Speller): boolean {
  if (typeof value !== 'object' || value === null) return mayMeanAnother(value, spelt)
  return Object.values(value).some((part) => holdsAnother(part, spelt))
}

function valueAt(value: unknown, pointer: string): unknown {
  let part = value
  for (const name of pointerNames(pointer)) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    part = (part as JsonObject)[name]
  }
  return part
}

/**
 * Copies a value, with what the texts at some places spell in place of them, and without the properties there that stand for no value;
 * or with those as null under a name with a suffix.
 */
function meantAt(
  value: unknown,
  places: ReadonlySet<string>,
  reading: Reading,
  suffix?: string,
  at = '',
): unknown {
  if (typeof value === 'string') return places.has(at) ? reading.spelt(value) : value
  if (Array.isArray(value)) {
    return value.map((part, index) => meantAt(part, places, reading, suffix, `${at}/${index}`))
  }
  if (!isJsonObject(value)) return value
  // `fromEntries` defines own properties, including one named `__proto__`.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const place = `${at}/${pointerSegment(name)}`
      if (!places.has(place) || !reading.isAbsent(part)) {
        return [[name, meantAt(part, places, reading, suffix, place)]]
      }
      return suffix === undefined ? [] : [[name + suffix, null]]
    }),
  )
}
