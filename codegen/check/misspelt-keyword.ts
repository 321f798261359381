import { keywordNames, keywordOf } from '../../runtime/keywords/keywords.ts'
import { nearestName } from '../names/nearest-name.ts'

/** Keywords that restrict values. Shorter ones resemble annotations by chance, as `const` does `cost`. */
const limiting = keywordNames(({ kind, name }) => kind === 'assertion' && name.length >= 6)

/** Returns the keyword that a word in a schema resembles; undefined for a keyword, or a custom annotation. */
export function misspeltKeyword(word: string): string | undefined {
  return keywordOf(word) || !/^[a-z]+$/i.test(word) ? undefined : nearestName(word, limiting)
}
