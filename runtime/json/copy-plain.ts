import type { JsonObject } from './json.ts'
import { maximumDepth, tooDeep } from './json-copy.ts'
import { hasOtherSpelling } from './not-json.ts'

/**
 * Copies a value that may not be plain JSON. Objects that a copy would turn into something else stay uncopied: the copy of a
 * `Date` or a Promise would be an empty object, which some Tools accept.
 *
 * @throws CallError `invalid_call` when the value nests deeper than {@link maximumDepth}, as a cyclic one does.
 */
export function copyPlain<Value>(value: Value, freeze: boolean = false, depth: number = 0): Value {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maximumDepth) throw tooDeep()
  if (Array.isArray(value)) {
    const list: unknown[] = value.map((item) => copyPlain(item, freeze, depth + 1))
    return (freeze ? Object.freeze(list) : list) as Value
  }
  if (hasOtherSpelling(value)) return value
  // A spread makes own properties of everything, `__proto__` included, so the assignments below reach no setter.
  const copy = { ...value } as JsonObject
  for (const name of Object.keys(copy)) copy[name] = copyPlain(copy[name], freeze, depth + 1)
  return (freeze ? Object.freeze(copy) : copy) as Value
}
