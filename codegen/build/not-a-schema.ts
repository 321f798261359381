import { isJsonObject } from '../../runtime/json/json.ts'
import { keywordOf } from '../../runtime/keywords/keywords.ts'
import { briefly } from '../../runtime/problems/problem.ts'
import { validationLibrary } from '../validation-library.ts'

/** A value in place of a schema, and what to write instead. */
export interface Mistake {
  readonly got: string
  readonly fix: string
}

/** Explains why a value is not a schema; undefined if it is one (TOOL-10: a schema is never read in part). */
export function notASchema(value: unknown): Mistake | undefined {
  const library = validationLibrary(value)
  if (library) return { got: `a schema of ${library.name}`, fix: library.fix }
  if (value === undefined) return { got: 'undefined', fix: fixOfUndefined }
  if (typeof value === 'function') return { got: 'a function', fix: 'Put a schema in its place.' }
  if (!isJsonObject(value)) return { got: briefly(value), fix: 'Put a schema in its place.' }
  if (value instanceof Date) return { got: 'a Date', fix: "Use Type.String({ format: 'date-time' })." }
  if (isCopyOfFunction(value))
    return {
      got: 'what Type.Optional or the like makes of a function',
      fix: 'Call it, as in Type.Optional(Type.String()).',
    }
  const name = builtIns.find((each) => value instanceof each)?.name
  if (name !== undefined) return { got: `a ${name}`, fix: 'Put a schema in its place.' }
  const inherited = inheritedKeyword(value)
  if (inherited !== undefined) {
    return {
      got: `an object that inherits its "${inherited}"`,
      fix: 'Write every keyword as a property of its own.',
    }
  }
  // As a class with the decorators of class-validator makes them.
  if (isOfClass(value) && !Object.keys(value).some(keywordOf)) {
    return { got: `an object of ${value.constructor.name}`, fix: 'Put a schema in its place.' }
  }
  return undefined
}

/** Whether a class made an object. The prototypes of plain objects of another realm have no prototype either. */
function isOfClass(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype !== null && Object.getPrototypeOf(prototype) !== null
}

/** TypeBox copies what it marks: of a function, which its types allow, nothing is left but hidden members such as its `length`. */
function isCopyOfFunction(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'length')?.enumerable === false
}

/** Returns a keyword that an object has from its class or prototype, where no copy would find it. Methods are none. */
function inheritedKeyword(value: object): string | undefined {
  let holder: object | null = Object.getPrototypeOf(value)
  while (holder && Object.getPrototypeOf(holder) !== null) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(holder))
    const keyword = members.find(([name, member]) => keywordOf(name) && typeof member.value !== 'function')
    if (keyword) return keyword[0]
    holder = Object.getPrototypeOf(holder)
  }
  return undefined
}

/** An import is undefined where two files import each other: one of them runs before the other. */
const fixOfUndefined =
  'Put a schema in its place, or leave the key out. If it is imported: its file must not import this one, directly or through others. Move what both need into a file of its own.'

/** Built-in classes that JSON cannot express. Instances of other classes may be schemas. */
const builtIns = [RegExp, Map, Set, WeakMap, WeakSet, Promise, URL, Error, ArrayBuffer]
