import { thrownText } from './thrown-text.ts'

/**
 * Returns the error that a getter or proxy within a value throws; undefined if the value can be read completely.
 *
 * @param read Objects that were read completely, which are not read again; receives those of this value.
 */
export function whyUnreadable(value: unknown, read: WeakSet<object> = new WeakSet()): string | undefined {
  // Iterating a set includes items added meanwhile, and a cycle ends.
  const values = new Set([value])
  const found: object[] = []
  try {
    for (const each of values) {
      if (typeof each !== 'object' || each === null || read.has(each)) continue
      found.push(each)
      for (const member of Object.values(each)) values.add(member)
    }
    for (const each of found) read.add(each)
    return undefined
  } catch (thrown) {
    return thrownText(thrown)
  }
}
