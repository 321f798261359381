import { isJsonObject } from '../../runtime/json/json.ts'

/** What a list of exceptions has to be; undefined for one that is. */
export function exceptionsFault(value: unknown): string | undefined {
  const isException = (entry: unknown): boolean =>
    isJsonObject(entry) &&
    Object.keys(entry).length === 2 &&
    [entry.change, entry.reason].every((text) => typeof text === 'string' && text.trim() !== '')
  if (Array.isArray(value) && value.every(isException)) return undefined
  return 'a list of { change, reason }: the id that `callsheet diff` prints, and why the change may be'
}
