import { canonicalJson } from '../json/canonical-json.ts'
import { isSameJson } from '../json/same-json.ts'

/** Shorter lists are searched faster than a Set. */
const shortList = 16

const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>()
const textSets = new WeakMap<readonly unknown[], ReadonlySet<string>>()

/** True if a list contains a string, number, boolean or null. */
export function isListed(list: readonly unknown[], value: unknown): boolean {
  if (list.length <= shortList) return list.includes(value)
  let set = sets.get(list)
  if (!set) {
    set = new Set(list)
    sets.set(list, set)
  }
  return set.has(value)
}

/** True if a list contains a value that is the same JSON as an object or array. */
export function isListedJson(list: readonly unknown[], value: object): boolean {
  if (list.length <= shortList) return list.some((each) => isSameJson(value, each))
  let set = textSets.get(list)
  if (!set) {
    set = new Set(list.filter((each) => typeof each === 'object' && each !== null).map(canonicalJson))
    textSets.set(list, set)
  }
  return set.has(canonicalJson(value))
}
