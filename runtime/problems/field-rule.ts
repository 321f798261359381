import { isJsonObject, type JsonObject } from '../json/json.ts'
import { oneOfWords } from './problem.ts'

/** What a member of an object must be: the test, the words of an error, and what its own members must be where it is an object. */
export type FieldRule = readonly [holds: (value: unknown) => boolean, expected: string, within?: MemberRules]

/** Which members an object has, and what each must be. */
export interface MemberRules {
  /** By name, each member once. */
  readonly rules?: object
  /** Of members that have no rule of their own; without it they are misspelt. */
  readonly each?: FieldRule
  readonly required?: readonly string[]
  /** Of which one at least has to be there. */
  readonly eitherOf?: readonly string[]
  /** True for objects that are copied, whose inherited members would be lost. */
  readonly isCopied?: boolean
}

/** The rule of a member that is any text. */
export const text: FieldRule = [isString, 'a string']

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** The rule of a member that is one of a few names. */
export function oneOf(...names: readonly string[]): FieldRule {
  return [(value) => names.includes(value as string), oneOfWords(names.map((name) => JSON.stringify(name)))]
}

export const isFunction = (value: unknown): boolean => typeof value === 'function'
export const isFlag = (value: unknown): boolean => typeof value === 'boolean'

/** The rule of a function. */
export const aFunction: FieldRule = [isFunction, 'a function']

/** The rule of a switch. */
export const flag: FieldRule = [isFlag, 'true or false']

/** The rule of a text that says something. */
export const someText: FieldRule = [(value) => isString(value) && value !== '', 'a text']

/** The rule of a number of attempts, Calls and the like. */
export const count: FieldRule = [
  (value) => Number.isInteger(value) && (value as number) >= 1,
  'a whole number from 1',
]

export const isWholeFromZero = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

/** The rule of a limit. */
export const fromZero: FieldRule = [(value) => typeof value === 'number' && value >= 0, 'a number from 0']

/** The rule of a number whose bounds somebody else knows. */
export const aNumber: FieldRule = [(value) => typeof value === 'number' && !Number.isNaN(value), 'a number']

/** The rule of a port to listen on. */
export const port: FieldRule = [
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  'a whole number from 0 to 65535',
]

/** The rule of a length of time that is not nothing. */
export const duration: FieldRule = [(value) => typeof value === 'number' && value > 0, 'milliseconds above 0']

/** The rule of a list of texts. */
export function texts(what: string): FieldRule {
  return [(value) => Array.isArray(value) && value.every(isString), what]
}

/** The rule of a value with these methods. */
export function withMethods(what: string, ...names: readonly string[]): FieldRule {
  return [
    (value) =>
      ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
      names.every((name) => isFunction(Reflect.get(value, name))),
    what,
  ]
}

/** The rules of fewer options. */
export function omitRules<Rules extends object, Name extends keyof Rules>(
  rules: Rules,
  ...names: readonly Name[]
): Omit<Rules, Name> {
  const left = { ...rules }
  for (const name of names) delete left[name]
  return left
}

/** True for an object, or a function, of which each own property can be read: no getter and no proxy throws. */
export function isReadable(value: unknown): value is object {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  for (const name of Object.keys(value)) void Reflect.get(value, name)
  return true
}

/** True where members are looked for: a `Map` or `Headers` keep theirs elsewhere, and would read as empty. */
export function hasMembers(value: unknown): value is JsonObject {
  return isJsonObject(value) && !(Symbol.iterator in value)
}

/** True for things by name, all of them the object's own: what it inherits is lost when it is listed or copied. */
export function isMap(value: unknown): value is JsonObject {
  if (!hasMembers(value) || !isReadable(value)) return false
  for (const name in value) if (!Object.hasOwn(value, name)) return false
  return true
}

/** True for things by name, or for a list of them. */
export function isMapOrList(value: unknown): boolean {
  return Array.isArray(value) ? isReadable(value) : isMap(value)
}

/** The rule of things by name. */
export function mapOf(what: string): FieldRule {
  return [isMap, what]
}
