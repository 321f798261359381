import { byCodeUnit } from '../json/json.ts'
import { type SearchEntry, type SearchField, searchFields } from './search-entry.ts'
import { relatedStems } from './word-groups.ts'
import { stemsOf } from './words.ts'

/** A Tool that a question found. */
export interface FoundTool {
  readonly name: string
  /** Larger is better. Comparable within one answer, and not between answers. */
  readonly score: number
}

/**
 * How much a word counts in a field, and how much less in a long field than in a short one (0: not less). Measured on 643
 * functions and 1,083 questions that people asked of them: `node bench/find.mjs`.
 */
const fieldWeights: Readonly<Record<SearchField, { weight: number; lengthPenalty: number }>> = {
  name: { weight: 3, lengthPenalty: 0.1 },
  about: { weight: 2, lengthPenalty: 0.2 },
  parameters: { weight: 1, lengthPenalty: 0.3 },
  values: { weight: 1.5, lengthPenalty: 0.2 },
  details: { weight: 0.5, lengthPenalty: 0.4 },
}

/** How soon a repeated word stops counting more (`k1` of BM25). */
const saturation = 1.2

/** What a word of the same group counts beside the word itself. */
const relatedWeight = 0.45

/** What two words count beside each word, where they stand next to one another in the question and in the Tool. */
const pairWeight = 0.2

/** What a misspelt word counts, and how alike two words must be for one to be the other misspelt. */
const misspeltWeight = 0.6
const leastLikeness = 0.7
const shortestMisspelt = 5

/** In a smaller set, how many Tools have a word says little of how rare it is. */
const leastTools = 20

/** A question is read up to this many different words. */
const mostWords = 400

/** The Tools in which a stem stands, as places in the list of entries, and how much it counts in each. */
interface Posting {
  readonly places: number[]
  readonly weights: number[]
}

/**
 * Ranks Tools for a question: BM25F over the fields of each Tool. Rare words count more than common ones; words of one
 * group stand in for one another; a word that no Tool has is taken for the most alike one that some Tool has.
 */
export class Ranker {
  readonly #entries: readonly SearchEntry[]
  readonly #postings = new Map<string, Posting>()
  readonly #scores: Float64Array
  /** What one word of the question adds to each Tool, cleared after each word. */
  readonly #added: Float64Array
  #likeness: Likeness | undefined

  constructor(entries: Iterable<SearchEntry>) {
    this.#entries = [...entries].sort((left, right) => byCodeUnit(left.tool, right.tool))
    this.#scores = new Float64Array(this.#entries.length)
    this.#added = new Float64Array(this.#entries.length)
    const lengths = averageLengths(this.#entries)
    this.#entries.forEach((entry, place) => {
      this.#index(entry, place, lengths)
    })
  }

  /** The Tools that have to do with a question, best first; equal ones by name. */
  rank(question: string): FoundTool[] {
    const stems = stemsOf(question)
    const scores = this.#scores.fill(0)
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

  /** The stems that stand for a word of the question, with what each counts. */
  #variants(stem: string): (readonly [stem: string, weight: number])[] {
    const variants: (readonly [string, number])[] = [[stem, 1]]
    if (!this.#postings.has(stem) && stem.length >= shortestMisspelt) {
      this.#likeness ??= new Likeness(this.#postings.keys())
      const meant = this.#likeness.nearest(stem)
      if (meant) variants.push([meant.stem, meant.likeness * misspeltWeight])
    }
    for (const related of relatedStems.get(stem) ?? []) variants.push([related, relatedWeight])
    return variants
  }

  /** Adds to each Tool what the best of a word's variants counts there: words of one group never add up. */
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

  /** Inverse document frequency: a word that few Tools have says more. */
  #rarity(having: number): number {
    const tools = Math.max(this.#entries.length, leastTools)
    return Math.log(1 + (tools - having + 0.5) / (having + 0.5))
  }
}

/** Finds the known word that a misspelt one is most like, by the pairs of letters that both have. */
class Likeness {
  readonly #stemsOfPair = new Map<string, string[]>()

  constructor(stems: Iterable<string>) {
    for (const stem of stems) {
      if (stem.includes(' ') || stem.length < shortestMisspelt - 1) continue
      for (const pair of letterPairsOf(stem)) {
        const list = this.#stemsOfPair.get(pair)
        if (list) list.push(stem)
        else this.#stemsOfPair.set(pair, [stem])
      }
    }
  }

  nearest(word: string): { readonly stem: string; readonly likeness: number } | undefined {
    const pairs = letterPairsOf(word)
    const shared = new Map<string, number>()
    for (const pair of pairs) {
      for (const stem of this.#stemsOfPair.get(pair) ?? []) shared.set(stem, (shared.get(stem) ?? 0) + 1)
    }
    let best: { stem: string; likeness: number } | undefined
    for (const [stem, count] of shared) {
      // Dice's coefficient of the two sets of pairs.
      const likeness = (2 * count) / (pairs.size + stem.length + 1)
      const isBetter = !best || likeness > best.likeness || (likeness === best.likeness && stem < best.stem)
      if (likeness >= leastLikeness && isBetter) best = { stem, likeness }
    }
    return best
  }
}

/** The neighbouring letters of a word, its beginning and end included. */
function letterPairsOf(word: string): Set<string> {
  const bounded = `^${word}$`
  return new Set(Array.from({ length: bounded.length - 1 }, (_, start) => bounded.slice(start, start + 2)))
}

/** Two neighbouring words as one; no stem has a space in it. */
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
