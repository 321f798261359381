import { keywordOf } from '../keywords/keywords.ts'

/** Returns the first type that a keyword applies to; undefined if it applies to all. */
export function typeOfKeyword(keyword: string): string | undefined {
  return keywordOf(keyword)?.about?.[0]
}

/** True if a keyword applies to values of `type`. */
export function concernsType(keyword: string, type: string): boolean {
  const about = typeOfKeyword(keyword)
  return about === undefined || about === type || (about === 'number' && type === 'integer')
}
