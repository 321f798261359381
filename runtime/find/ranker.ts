import { byCodeUnit } from '../json/json.ts'
import { type SearchEntry, type SearchField, searchFields } from './search-entry.ts'
import { relatedStems } from './word-groups.ts'
import { stemsOf } from './words.ts'

/** A search result. */
export interface FoundTool {
  readonly name: string
  /** Larger is better. Comparable within one result list only. */
  readonly score: number
}

/**
 * The weight of a word in each field, and how much a long field reduces it (0: not at all). Tuned on 643 functions and 1,083
 * questions that people asked about them: `node bench/find.mjs`.
 */
const fieldWeights: Readonly<Record<SearchField, { weight: number; lengthPenalty: number }>> = {
  name: { weight: 3, lengthPenalty: 0.1 },
  about: { weight: 2, lengthPenalty: 0.2 },
  parameters: { weight: 1, lengthPenalty: 0.3 },
  values: { weight: 1.5, lengthPenalty: 0.2 },
  details: { weight: 0.5, lengthPenalty: 0.4 },
}

/** How quickly repetitions of a word stop adding to the score (`k1` of BM25). */
const saturation = 1.2

/** The weight of a synonym, relative to the word itself. */
const relatedWeight = 0.45

/** The extra weight of two words that are adjacent both in the question and in the Tool. */
const pairWeight = 0.2

/** The weight of a misspelt word, the least similarity to a known word, and the shortest word that is corrected. */
const misspeltWeight = 0.6
const leastLikeness = 0.7
const shortestMisspelt = 5

/** Most words of a question that are corrected: each is compared with most of the words that the Tools contain. */
const mostCorrected = 40

/** Smaller sets are treated as this large, since word counts in them say little about how rare a word is. */
const leastTools = 20

/** Most distinct words of a question that are used. */
const mostWords = 400

/** The Tools that contain a stem, as indexes into the list of entries, and the stem's weight in each. */
interface Posting {
  readonly places: number[]
  readonly weights: number[]
}

/**
 * Ranks Tools for a question: BM25F over the fields of each Tool. Rare words count more than common ones; synonyms match one
 * another; a word that no Tool contains is replaced by the most similar word that some Tool contains.
 */
export class Ranker {
  readonly #entries: readonly SearchEntry[]
  readonly #postings = new Map<string, Posting>()
  readonly #scores: Float64Array
  /** The score that the current word of the question adds to each Tool; cleared after each word. */
  readonly #added: Float64Array
  #likeness: Likeness | undefined
  /** Words of the current question that were compared with others. */
  #corrected = 0

  constructor(entries: Iterable<SearchEntry>) {
    this.#entries = [...entries].sort((left, right) => byCodeUnit(left.tool, right.tool))
    this.#scores = new Float64Array(this.#entries.length)
    this.#added = new Float64Array(this.#entries.length)
    const lengths = averageLengths(this.#entries)
    this.#entries.forEach((entry, place) => {
      this.#index(entry, place, lengths)
    })
  }

  /** Returns the Tools that match a question, best first; equal scores by name. */
  rank(question: string): FoundTool[] {
    const stems = stemsOf(question)
    const scores = this.#scores.fill(0)
    this.#corrected = 0
    const seen = new Set<string>()
    for (const [index, stem] of stems.entries()) {
      if (seen.size >= mostWords) break
      if (!seen.has(stem)) {
        seen.add(stem)
        this.#add(this.#variants(stem))
      }
      const pair = index > 0 ? pairOf(stems[index - 1], stem) : stem
      if (index > 0 && !seen.has(pair)) {
        seen.add(pair)
        this.#add([[pair, 1]])
      }
    }
    const found: FoundTool[] = []
    this.#entries.forEach(({ tool }, place) => {
      const score = scores[place] ?? 0
      if (score > 0) found.push({ name: tool, score })
    })
    // The entries are sorted by name and the sort is stable.
    return found.sort((left, right) => right.score - left.score)
  }

  #index(entry: SearchEntry, place: number, averages: Readonly<Record<SearchField, number>>): void {
    const counted = new Map<string, number>()
    const count = (stem: string, weight: number): void => {
      counted.set(stem, (counted.get(stem) ?? 0) + weight)
    }
    for (const field of searchFields) {
      const stems = entry[field]
      const { weight, lengthPenalty } = fieldWeights[field]
      const each = weight / (1 - lengthPenalty + (lengthPenalty * stems.length) / averages[field])
      const ordered = field === 'name' || field === 'about'
      stems.forEach((stem, index) => {
        count(stem, each)
        if (ordered && index > 0) count(pairOf(stems[index - 1], stem), each * pairWeight)
      })
    }
    for (const [stem, weight] of counted) {
      const posting = this.#postings.get(stem) ?? { places: [], weights: [] }
      posting.places.push(place)
      posting.weights.push(weight)
      this.#postings.set(stem, posting)
    }
  }

  /** Returns the stems to search for a word of the question, with the weight of each. */
  #variants(stem: string): (readonly [stem: string, weight: number])[] {
    const variants: (readonly [string, number])[] = [[stem, 1]]
    const isUnknown = !this.#postings.has(stem) && stem.length >= shortestMisspelt
    if (isUnknown && this.#corrected++ < mostCorrected) {
      this.#likeness ??= new Likeness(this.#postings.keys())
      const meant = this.#likeness.nearest(stem)
      if (meant) variants.push([meant.stem, meant.likeness * misspeltWeight])
    }
    for (const related of relatedStems.get(stem) ?? []) variants.push([related, relatedWeight])
    return variants
  }

  /** Adds the score of a word's best variant to each Tool: synonyms do not add up. */
  #add(variants: readonly (readonly [stem: string, weight: number])[]): void {
    const touched: number[] = []
    for (const [stem, weight] of variants) {
      const posting = this.#postings.get(stem)
      if (!posting) continue
      const rarity = weight * this.#rarity(posting.places.length)
      posting.places.forEach((place, index) => {
        const counted = posting.weights[index] ?? 0
        const adds = (rarity * counted * (saturation + 1)) / (counted + saturation)
        const before = this.#added[place] ?? 0
        if (before === 0) touched.push(place)
        if (adds > before) this.#added[place] = adds
      })
    }
    for (const place of touched) {
      this.#scores[place] = (this.#scores[place] ?? 0) + (this.#added[place] ?? 0)
      this.#added[place] = 0
    }
  }

  /** Inverse document frequency: a word that few Tools contain counts more. */
  #rarity(having: number): number {
    const tools = Math.max(this.#entries.length, leastTools)
    return Math.log(1 + (tools - having + 0.5) / (having + 0.5))
  }
}

/**
 * Finds the known word that is most similar to a misspelt one, by the letter pairs they share. Counts by index, since a question
 * may have hundreds of unknown words, and the Tools hundreds of thousands of known ones.
 */
class Likeness {
  readonly #stems: readonly string[]
  /** The stems with a pair of letters, as indexes into the list of stems. */
  readonly #placesOfPair = new Map<string, number[]>()
  /** The number of pairs that each stem shares with the word; cleared after each word. */
  readonly #shared: Uint16Array

  constructor(stems: Iterable<string>) {
    this.#stems = [...stems].filter((stem) => !stem.includes(' ') && stem.length >= shortestMisspelt - 1)
    this.#shared = new Uint16Array(this.#stems.length)
    for (const [place, stem] of this.#stems.entries()) {
      for (const pair of letterPairsOf(stem)) {
        const places = this.#placesOfPair.get(pair)
        if (places) places.push(place)
        else this.#placesOfPair.set(pair, [place])
      }
    }
  }

  nearest(word: string): { readonly stem: string; readonly likeness: number } | undefined {
    const pairs = letterPairsOf(word)
    const shared = this.#shared
    const touched: number[] = []
    for (const pair of pairs) {
      for (const place of this.#placesOfPair.get(pair) ?? []) {
        const count = shared[place] ?? 0
        if (count === 0) touched.push(place)
        shared[place] = count + 1
      }
    }
    let best: { stem: string; likeness: number } | undefined
    for (const place of touched) {
      const stem = this.#stems[place] ?? ''
      // Dice's coefficient of the two sets of pairs.
      const likeness = (2 * (shared[place] ?? 0)) / (pairs.size + stem.length + 1)
      shared[place] = 0
      const isBetter = !best || likeness > best.likeness || (likeness === best.likeness && stem < best.stem)
      if (likeness >= leastLikeness && isBetter) best = { stem, likeness }
    }
    return best
  }
}

/** Returns the pairs of adjacent letters of a word, with its beginning and end as letters of their own. */
function letterPairsOf(word: string): Set<string> {
  const bounded = `^${word}$`
  return new Set(Array.from({ length: bounded.length - 1 }, (_, start) => bounded.slice(start, start + 2)))
}

/** Joins two adjacent words into one index key; no stem contains a space. */
function pairOf(left: string | undefined, right: string): string {
  return `${left} ${right}`
}

function averageLengths(entries: readonly SearchEntry[]): Record<SearchField, number> {
  const average = (field: SearchField): number =>
    entries.reduce((sum, entry) => sum + entry[field].length, 0) / entries.length || 1
  return {
    name: average('name'),
    about: average('about'),
    parameters: average('parameters'),
    values: average('values'),
    details: average('details'),
  }
}
