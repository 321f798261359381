import { thrownText } from './thrown-text.ts'

/** Returns the error that a getter or proxy within a value throws; undefined if the value can be read completely. */
export function whyUnreadable(value: unknown): string | undefined {
  // Iterating a set includes items added meanwhile, and a cycle ends.
  const values = new Set([value])
  try {
    for (const each of values) {
      if (typeof each !== 'object' || each === null) continue
      for (const member of Object.values(each)) values.add(member)
    }
    return undefined
  } catch (thrown) {
    return thrownText(thrown)
  }
}
