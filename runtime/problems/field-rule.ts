import { isJsonObject, type JsonObject } from '../json/json.ts'
import { oneOfWords } from './problem.ts'

/**
 * The rule for one property: a predicate, the description used in errors, and the rules for its own properties if it is
 * an object.
 */
export type FieldRule = readonly [holds: (value: unknown) => boolean, expected: string, within?: MemberRules]

/** The rules for an object's properties. */
export interface MemberRules {
  /** A {@link FieldRule} for each property, by name. */
  readonly rules?: object
  /**
   * Applies to properties that `rules` does not list; if absent, such properties are reported as misspelt. With it, inherited
   * properties are reported too: such a record is read by its own ones.
   */
  readonly each?: FieldRule
  readonly required?: readonly string[]
  /** At least one of these properties must be present. */
  readonly eitherOf?: readonly string[]
  /** The object gets copied, so inherited properties would be lost and are reported. */
  readonly isCopied?: boolean
}

/** Accepts any string. */
export const text: FieldRule = [isString, 'a string']

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Accepts one of a few strings. */
export function oneOf(...names: readonly string[]): FieldRule {
  return [(value) => names.includes(value as string), oneOfWords(names.map((name) => JSON.stringify(name)))]
}

export const isFunction = (value: unknown): boolean => typeof value === 'function'
export const isFlag = (value: unknown): boolean => typeof value === 'boolean'

/** Accepts a function. */
export const aFunction: FieldRule = [isFunction, 'a function']

/** Accepts a boolean. */
export const flag: FieldRule = [isFlag, 'true or false']

/** Accepts a non-empty string. */
export const someText: FieldRule = [(value) => isString(value) && value !== '', 'a text']

/** Accepts a number of attempts, Calls and the like. */
export const count: FieldRule = [
  (value) => Number.isInteger(value) && (value as number) >= 1,
  'a whole number from 1',
]

export const isWholeFromZero = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

/** Accepts a limit. */
export const fromZero: FieldRule = [(value) => typeof value === 'number' && value >= 0, 'a number from 0']

/** Accepts any number but NaN; other code checks its range. */
export const aNumber: FieldRule = [(value) => typeof value === 'number' && !Number.isNaN(value), 'a number']

/** Accepts a port to listen on. */
export const port: FieldRule = [
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  'a whole number from 0 to 65535',
]

/** Accepts a duration above zero. */
export const duration: FieldRule = [(value) => typeof value === 'number' && value > 0, 'milliseconds above 0']

/** Accepts an array of strings. */
export function texts(what: string): FieldRule {
  return [(value) => Array.isArray(value) && value.every(isString), what]
}

/** Accepts an object or function that has these methods. */
export function withMethods(what: string, ...names: readonly string[]): FieldRule {
  return [
    (value) =>
      ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
      names.every((name) => isFunction(Reflect.get(value, name))),
    what,
  ]
}

/** Copies a set of rules without the named options. */
export function omitRules<Rules extends object, Name extends keyof Rules>(
  rules: Rules,
  ...names: readonly Name[]
): Omit<Rules, Name> {
  const left = { ...rules }
  for (const name of names) delete left[name]
  return left
}

/** True for an object or function whose own properties can all be read: no getter or proxy throws. */
export function isReadable(value: unknown): value is object {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  for (const name of Object.keys(value)) void Reflect.get(value, name)
  return true
}

/** True for an object whose data is in its properties; a `Map`, `Headers`, or a promise that nobody awaited would look empty. */
export function hasMembers(value: unknown): value is JsonObject {
  return isJsonObject(value) && !(Symbol.iterator in value || value instanceof Promise)
}

/** True for a readable record whose properties are all own: inherited ones would be lost when it is listed or copied. */
export function isMap(value: unknown): value is JsonObject {
  if (!hasMembers(value) || !isReadable(value)) return false
  for (const name in value) if (!Object.hasOwn(value, name)) return false
  return true
}

/** True for a record as {@link isMap} has it, or a readable array. */
export function isMapOrList(value: unknown): boolean {
  return Array.isArray(value) ? isReadable(value) : isMap(value)
}

/** Accepts a record (see {@link isMap}). */
export function mapOf(what: string): FieldRule {
  return [isMap, what]
}
