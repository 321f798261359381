import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import type { Matcher } from '../patterns/matcher.ts'
import { oneOfWords, wantedValue } from '../problems/problem.ts'
import { shorten } from '../problems/shorten.ts'
import { isListed, isListedJson } from './listed.ts'
import type { Reasons } from './reasons.ts'
import { fail } from './step.ts'

/** The types of JSON Schema, with the words that problems use for them. */
export const typeWords = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  object: 'an object',
  array: 'an array',
} as const

export type TypeName = keyof typeof typeWords

/** True for a value of a JSON Schema type. `1.0` is an integer; NaN and Infinity are not numbers. */
export function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    default:
      return typeof value === type
  }
}

/** Requires one of several types. */
export function typed(
  value: unknown,
  path: string,
  problems: Reasons | null,
  types: readonly TypeName[],
): boolean {
  if (types.some((type) => isOfType(value, type))) return true
  return fail(value, path, problems, oneOfWords(types.map((type) => typeWords[type])))
}

export function string(value: unknown, path: string, problems: Reasons | null): boolean {
  return typeof value === 'string' || fail(value, path, problems, typeWords.string)
}

export function boolean(value: unknown, path: string, problems: Reasons | null): boolean {
  return typeof value === 'boolean' || fail(value, path, problems, typeWords.boolean)
}

/** Requires null; a function cannot be named `null`. */
export function nothing(value: unknown, path: string, problems: Reasons | null): boolean {
  return value === null || fail(value, path, problems, typeWords.null)
}

/** Requires a number within inclusive bounds. */
export function number(
  value: unknown,
  path: string,
  problems: Reasons | null,
  least?: number,
  most?: number,
): boolean {
  if (typeof value === 'number' && Number.isFinite(value) && within(value, least, most)) return true
  return fail(value, path, problems, typeWords.number + boundWords(least, most))
}

/** Requires a whole number within inclusive bounds. */
export function integer(
  value: unknown,
  path: string,
  problems: Reasons | null,
  least?: number,
  most?: number,
): boolean {
  if (typeof value === 'number' && Number.isInteger(value) && within(value, least, most)) return true
  return fail(value, path, problems, typeWords.integer + boundWords(least, most))
}

/** Requires a number greater than the limit. */
export function above(value: number, path: string, problems: Reasons | null, limit: number): boolean {
  return value > limit || fail(value, path, problems, `a number > ${limit}`)
}

/** Requires a number less than the limit. */
export function below(value: number, path: string, problems: Reasons | null, limit: number): boolean {
  return value < limit || fail(value, path, problems, `a number < ${limit}`)
}

/** Requires a multiple: the quotient must be an integer as JavaScript computes it, so 0.3 is not a multiple of 0.1, as in Ajv. */
export function multiple(value: number, path: string, problems: Reasons | null, factor: number): boolean {
  const quotient = value / factor
  return (
    quotient === Number.parseInt(String(quotient), 10) ||
    fail(value, path, problems, `a multiple of ${factor}`)
  )
}

/** Requires a string of `least` to `most` Unicode code points. */
export function text(
  value: unknown,
  path: string,
  problems: Reasons | null,
  least: number = 0,
  most?: number,
): boolean {
  if (
    typeof value === 'string' &&
    isLongEnough(value, least) &&
    (most === undefined || isShortEnough(value, most))
  ) {
    return true
  }
  return fail(value, path, problems, `a string of ${countWords(least, most, 'character')}`)
}

/** Most regular expressions that are kept: far more than a program has, unless Tools come and go while it runs. */
const mostCompiled = 10_000
const compiled = new Map<string, RegExp>()
/** The matchers of patterns that could hang as a regular expression. */
const matchers = new Map<string, Matcher>()

/** Returns the pattern compiled as in Ajv, or the matcher that {@link useMatcher} has set for it. */
export function regularExpression(source: string): Matcher {
  const known = compiled.get(source) ?? matchers.get(source)
  if (known) return known
  const expression = new RegExp(source, 'u')
  if (compiled.size >= mostCompiled) compiled.clear()
  compiled.set(source, expression)
  return expression
}

/** Sets another matcher for a pattern that could hang as a regular expression. */
export function useMatcher(source: string, matcher: Matcher): void {
  compiled.delete(source)
  matchers.set(source, matcher)
}

/** Requires a string that the pattern matches. */
export function pattern(value: unknown, path: string, problems: Reasons | null, source: string): boolean {
  if (typeof value === 'string' && regularExpression(source).test(value)) return true
  return fail(value, path, problems, `a string that matches ${shorten(source, 100)}`)
}

/** Requires a value equal to the given one. */
export function equals(value: unknown, path: string, problems: Reasons | null, wanted: unknown): boolean {
  return value === wanted || isSameJson(value, wanted) || fail(value, path, problems, wantedValue(wanted))
}

/** Requires a value equal to one of several. */
export function among(
  value: unknown,
  path: string,
  problems: Reasons | null,
  wanted: readonly unknown[],
): boolean {
  if (typeof value === 'object' && value !== null ? isListedJson(wanted, value) : isListed(wanted, value)) {
    return true
  }
  return problems !== null && fail(value, path, problems, listWords(wanted))
}

function listWords(wanted: readonly unknown[]): string {
  const shown = wanted.slice(0, 20).map(wantedValue)
  const rest = wanted.length > shown.length ? `, … (${wanted.length} in all)` : ''
  return `one of ${shorten(shown.join(', '), 1000)}${rest}`
}

function within(value: number, least: number | undefined, most: number | undefined): boolean {
  return (least === undefined || value >= least) && (most === undefined || value <= most)
}

function boundWords(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? '' : ` <= ${most}`
  return most === undefined ? ` >= ${least}` : ` from ${least} to ${most}`
}

/** Describes a count: `1 to 3 items`, `at least 1 item`, `at most 3 items`, `exactly 2 items`. */
export function countWords(least: number, most: number | undefined, unit: string): string {
  const plural = (count: number) => (count === 1 ? unit : unit === 'property' ? 'properties' : `${unit}s`)
  if (most === undefined) return `at least ${least} ${plural(least)}`
  if (least === most) return `exactly ${most} ${plural(most)}`
  return least === 0 ? `at most ${most} ${plural(most)}` : `${least} to ${most} ${plural(most)}`
}

/** Counting code points takes a pass over the string; the number of UTF-16 units decides most cases without it. */
function isLongEnough(value: string, least: number): boolean {
  return value.length >= least && (value.length >= 2 * least || characters(value) >= least)
}

function isShortEnough(value: string, most: number): boolean {
  return value.length <= most || (value.length <= 2 * most && characters(value) <= most)
}

function characters(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}
