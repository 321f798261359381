import { CallError } from '../errors.ts'
import type { JsonObject } from './json.ts'

/** Deepest nesting of JSON, in levels: far more than any Tool needs, far less than overflows a stack. */
export const maximumDepth = 1000

/**
 * Deepest nesting of a Call or an output, in levels. Less than that of a Message, so that every Message which contains one
 * (below an `_outputPath` of 64 segments, or as the Call of a failure) can be stored (OUT-7a).
 */
export const maximumValueDepth = 900

/**
 * Copies JSON deeply and, on request, freezes the copy. Primitives are returned unchanged.
 *
 * @throws CallError `invalid_call` when the value nests deeper than {@link maximumDepth}, as a cyclic one does.
 */
export function copyJson<Value>(value: Value, freeze: boolean = false, depth: number = 0): Value {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maximumDepth) throw tooDeep()
  if (Array.isArray(value)) {
    // By index: `map` would allocate a closure for each array.
    const list: unknown[] = value.slice()
    for (let index = 0; index < list.length; index++) {
      const item = list[index]
      if (typeof item === 'object' && item !== null) list[index] = copyJson(item, freeze, depth + 1)
    }
    return (freeze ? Object.freeze(list) : list) as Value
  }
  // A spread makes own properties of everything, `__proto__` included, so the assignments below reach no setter.
  const copy = { ...value } as JsonObject
  for (const key in copy) {
    const item = copy[key]
    if (typeof item === 'object' && item !== null) copy[key] = copyJson(item, freeze, depth + 1)
  }
  return (freeze ? Object.freeze(copy) : copy) as Value
}

/** Builds the error of a value that is cyclic or nested too deep. */
export function tooDeep(most: number = maximumDepth): CallError {
  return new CallError(
    'invalid_call',
    `The value nests deeper than ${most} levels, or contains itself: pass plain JSON, and less at once.`,
  )
}
