import { isJsonObject } from '../json/json.ts'
import { isSameJson } from '../json/same-json.ts'
import type { Matcher } from '../patterns/matcher.ts'
import { oneOfWords, wantedValue } from '../problems/problem.ts'
import { shorten } from '../problems/shorten.ts'
import { isListed, isListedJson } from './listed.ts'
import type { Reasons } from './reasons.ts'
import { fail } from './step.ts'

/** The names that JSON Schema's `type` knows, with how a problem calls such a value. */
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

/** True for a value that JSON Schema calls by this type. `1.0` is an integer; NaN and Infinity are not numbers. */
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

/** Any of several types. */
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

/** JSON's null; `null` itself cannot be a function's name. */
export function nothing(value: unknown, path: string, problems: Reasons | null): boolean {
  return value === null || fail(value, path, problems, typeWords.null)
}

/** A number within bounds, both included. */
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

/** A whole number within bounds, both included. */
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

/** A number greater than the limit. */
export function above(value: number, path: string, problems: Reasons | null, limit: number): boolean {
  return value > limit || fail(value, path, problems, `a number > ${limit}`)
}

/** A number less than the limit. */
export function below(value: number, path: string, problems: Reasons | null, limit: number): boolean {
  return value < limit || fail(value, path, problems, `a number < ${limit}`)
}

/** A multiple, by the quotient's being a whole number as printed: so 0.3 is not a multiple of 0.1, as in Ajv. */
export function multiple(value: number, path: string, problems: Reasons | null, factor: number): boolean {
  const quotient = value / factor
  return (
    quotient === Number.parseInt(String(quotient), 10) ||
    fail(value, path, problems, `a multiple of ${factor}`)
  )
}

/** A string of `least` to `most` characters; those outside the Basic Multilingual Plane count once. */
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

/** Compiled patterns by source. Their number is bounded by the schemas of the program. */
const compiled = new Map<string, Matcher>()

/** The pattern as Ajv compiles it, or what {@link useMatcher} has put in its place. */
export function regularExpression(source: string): Matcher {
  let expression = compiled.get(source)
  if (!expression) {
    expression = new RegExp(source, 'u')
    compiled.set(source, expression)
  }
  return expression
}

/** Has a pattern found by another matcher, since a regular expression could hang. */
export function useMatcher(source: string, matcher: Matcher): void {
  compiled.set(source, matcher)
}

/** A string in which the pattern is found. */
export function pattern(value: unknown, path: string, problems: Reasons | null, source: string): boolean {
  if (typeof value === 'string' && regularExpression(source).test(value)) return true
  return fail(value, path, problems, `a string that matches ${shorten(source, 100)}`)
}

/** Equal to one value. */
export function equals(value: unknown, path: string, problems: Reasons | null, wanted: unknown): boolean {
  return value === wanted || isSameJson(value, wanted) || fail(value, path, problems, wantedValue(wanted))
}

/** Equal to one of several values. */
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

/** `1 to 3 items`, `at least 1 item`, `at most 3 items`, `exactly 2 items`. */
export function countWords(least: number, most: number | undefined, unit: string): string {
  const plural = (count: number) => (count === 1 ? unit : unit === 'property' ? 'properties' : `${unit}s`)
  if (most === undefined) return `at least ${least} ${plural(least)}`
  if (least === most) return `exactly ${most} ${plural(most)}`
  return least === 0 ? `at most ${most} ${plural(most)}` : `${least} to ${most} ${plural(most)}`
}

/** Counting characters costs a pass over the string; most lengths are decided by its UTF-16 units alone. */
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
