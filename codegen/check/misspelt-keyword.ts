import { keywordNames, keywordOf } from '../../runtime/keywords/keywords.ts'
import { nearestName } from '../names/nearest-name.ts'

/** Those that limit values. Shorter ones are near annotations by chance, as `const` is near `cost`. */
const limiting = keywordNames(({ kind, name }) => kind === 'assertion' && name.length >= 6)

/** The keyword that a word in a schema is near; undefined for a keyword, and for what is an annotation of somebody's own. */
export function misspeltKeyword(word: string): string | undefined {
  return keywordOf(word) || !/^[a-z]+$/i.test(word) ? undefined : nearestName(word, limiting)
}
