import type { SpokenType } from '../../runtime/keywords/keyword-table.ts'
import { keywordNames, keywordOf } from '../../runtime/keywords/keywords.ts'
import { nearestName } from '../names/nearest-name.ts'

/** Keywords that restrict values. Shorter ones resemble annotations by chance, as `const` does `cost`. */
const limiting = keywordNames(({ kind, name }) => kind === 'assertion' && name.length >= 6)

/** Returns the keyword that a word in a schema resembles; undefined for a keyword, or a custom annotation. */
export function misspeltKeyword(word: string): string | undefined {
  return keywordOf(word) || !/^[a-z]+$/i.test(word) ? undefined : nearestName(word, limiting)
}

/** What other libraries call the keywords of a type. */
const foreign: Readonly<Partial<Record<SpokenType, Readonly<Record<string, string>>>>> = {
  number: {
    min: 'minimum',
    max: 'maximum',
    ge: 'minimum',
    gt: 'exclusiveMinimum',
    gte: 'minimum',
    le: 'maximum',
    lt: 'exclusiveMaximum',
    lte: 'maximum',
  },
  string: { min: 'minLength', max: 'maxLength', length: 'minLength', regex: 'pattern', regexp: 'pattern' },
  array: { min: 'minItems', max: 'maxItems', length: 'minItems', unique: 'uniqueItems' },
}

/** Returns the keyword that a word of other libraries means in schemas of these types, if it means one. */
export function foreignKeyword(word: string, types: readonly SpokenType[]): string | undefined {
  const words = types.map((type) => foreign[type]).find((each) => each && Object.hasOwn(each, word))
  return words?.[word]
}
