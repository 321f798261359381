import { keywordOf } from '../keywords/keywords.ts'

/** The type that a keyword is about first; undefined for those that are about any value. */
export function typeOfKeyword(keyword: string): string | undefined {
  return keywordOf(keyword)?.about?.[0]
}

/** True when a keyword can matter to a value of `type`. */
export function concernsType(keyword: string, type: string): boolean {
  const about = typeOfKeyword(keyword)
  return about === undefined || about === type || (about === 'number' && type === 'integer')
}
