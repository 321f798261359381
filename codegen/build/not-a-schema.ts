import { isJsonObject } from '../../runtime/json/json.ts'
import { briefly } from '../../runtime/problems/problem.ts'
import { validationLibrary } from '../validation-library.ts'

/** What stands where a schema belongs, and what to put there instead. */
export interface Mistake {
  readonly got: string
  readonly fix: string
}

/** Says why a value cannot be read as a schema; undefined when it can (TOOL-10: never half of one). */
export function notASchema(value: unknown): Mistake | undefined {
  const library = validationLibrary(value)
  if (library) return { got: `a schema of ${library.name}`, fix: library.fix }
  if (typeof value === 'function') return { got: 'a function', fix: 'Put a schema in its place.' }
  if (!isJsonObject(value)) return { got: briefly(value), fix: 'Put a schema in its place.' }
  if (value instanceof Date) return { got: 'a Date', fix: "Use Type.String({ format: 'date-time' })." }
  const name = builtIns.find((each) => value instanceof each)?.name
  return name === undefined ? undefined : { got: `a ${name}`, fix: 'Put a schema in its place.' }
}

/** Objects of the language, none of which JSON has. Other classes may be ways to make schemas. */
const builtIns = [RegExp, Map, Set, WeakMap, WeakSet, Promise, URL, Error, ArrayBuffer]
