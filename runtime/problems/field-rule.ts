import { oneOfWords } from './problem.ts'

/** What a member of an object must be: the test, and the words of an error. */
export type FieldRule = readonly [holds: (value: unknown) => boolean, expected: string]

/** The rule of a member that is any text. */
export const text: FieldRule = [isString, 'a string']

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** The rule of a member that is one of a few names. */
export function oneOf(...names: readonly string[]): FieldRule {
  return [(value) => names.includes(value as string), oneOfWords(names.map((name) => JSON.stringify(name)))]
}
