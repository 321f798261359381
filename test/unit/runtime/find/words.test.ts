import { expect, test } from 'vitest'
import { splitWords, stemsOf } from '../../../../runtime/find/words.ts'

test.each([
  ['getHTTPStatus_v2', ['get', 'http', 'status', 'v', '2']],
  ['PhraseEmphasis.bold', ['phrase', 'emphasis', 'bold']],
  ['resolve-library-id', ['resolve', 'library', 'id']],
  ['sha256Sum', ['sha256', 'sum'].flatMap((word) => (word === 'sha256' ? ['sha', '256'] : word))],
  ['Größe des Überlaufs', ['größe', 'des', 'überlaufs']],
  ['天気予報', ['天気', '気予', '予報']],
  ['ﬁle', ['file']],
  ['', []],
  ['!?', []],
])('FIND-1 splits %j into words', (text, words) => {
  expect(splitWords(text)).toEqual(words)
})

test('FIND-1 stems what carries meaning and drops what does not', () => {
  expect(stemsOf('Please calculate the distances between cities')).toEqual([
    'calcul',
    'distanc',
    'between',
    'citi',
  ])
})

test('a very long text is read in part', () => {
  expect(splitWords('word '.repeat(1_000_000)).length).toBeLessThan(1_000)
  // One character that stands for eighteen.
  expect(splitWords('\ufdfa'.repeat(4_000)).join('').length).toBeLessThanOrEqual(4_000)
})
