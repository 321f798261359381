import { stemmer } from 'stemmer'
import { stopWords } from './stop-words.ts'

/** Longest part of a text that is read, in characters: a question can come from a model. */
const longestText = 4_000

/** Scripts written without spaces between words; pairs of adjacent letters serve as words. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{M}]+|[\p{L}\p{M}]+|\p{N}+/gu

/**
 * Splits a text or a name into lower-case words: at everything that is not a letter or digit, and within names at
 * camelCase, acronyms and digits.
 *
 * @example splitWords('getHTTPStatus_v2') // ['get', 'http', 'status', 'v', '2']
 */
export function splitWords(text: string): string[] {
  const parts = text
    .slice(0, longestText)
    .normalize('NFKC')
    // One character can become eighteen.
    .slice(0, longestText)
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .match(runs)
  return (parts ?? []).flatMap((part) => (unspaced.test(part) ? letterPairs(part) : part))
}

function letterPairs(run: string): string[] {
  const letters = Array.from(run)
  if (letters.length < 3) return [run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/**
 * Returns the stems of a text's words in order, without stop words such as "the". English is stemmed by Porter's rules, so that
 * "calculating" finds "calculate"; words of other languages are not changed.
 */
export function stemsOf(text: string): string[] {
  return splitWords(text)
    .filter((word) => !stopWords.has(word))
    .map(stemOf)
}

/** Returns the stem of one lower-case word. */
export function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = /^[a-z]+$/.test(word) ? stemmer(word) : word
  if (stems.size >= mostKnown) stems.clear()
  stems.set(word, stem)
  return stem
}

/** A cache of stems: an index repeats a few thousand words, and Porter's rules take a microsecond for each. */
const stems = new Map<string, string>()
const mostKnown = 5_000
