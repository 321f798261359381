import { thrownText } from './thrown-text.ts'

/** What a getter or a proxy somewhere in a value throws; undefined for a value that can be read through. */
export function whyUnreadable(value: unknown): string | undefined {
  // A set can grow while it is walked: what is added is walked as well, and a circle ends.
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
