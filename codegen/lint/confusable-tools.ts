import { Ranker } from '../../runtime/find/ranker.ts'
import type { SearchEntry } from '../../runtime/find/search-entry.ts'
import { searchEntries } from '../find/find.ts'
import type { Finding, Model } from '../model.ts'

/** The least similarity at which two Tools count as confusable: how well each matches a search for the other's wording. */
const nearInWording = 0.65
/** The same for Tools with equal parameters, which only their wording distinguishes. */
const nearWithSameParameters = 0.55

/** The most distinguishing words that a note names. */
const namedWords = 4

/**
 * Returns a note for each pair of Tools with confusingly similar wording (FIND-3); Tools with the same parameters need less
 * similarity. The most similar pair of each Tool comes first; a Tool is the first of at most one pair.
 */
export function confusableTools(model: Model): Finding[] {
  const entries = searchEntries(model)
  const ranker = new Ranker(entries)
  const scores = entries.map(
    (entry) => new Map(ranker.rank(textOf(entry)).map(({ name, score }) => [name, score])),
  )
  const likeness = (left: number, right: number): number => {
    const own = scores[left]?.get(entries[left]?.tool ?? '') ?? 0
    return own === 0 ? 0 : (scores[left]?.get(entries[right]?.tool ?? '') ?? 0) / own
  }
  // Computed once: each of a thousand Tools is compared with a thousand.
  const parameters = entries.map(({ parameters: names }) =>
    names.length > 1 ? [...names].sort().join(' ') : undefined,
  )
  return entries.flatMap((entry, left) => {
    let nearest: { place: number; likeness: number } | undefined
    for (let right = left + 1; right < entries.length; right++) {
      const both = Math.min(likeness(left, right), likeness(right, left))
      const isSame = parameters[left] !== undefined && parameters[left] === parameters[right]
      const least = isSame ? nearWithSameParameters : nearInWording
      if (both >= least && both > (nearest?.likeness ?? 0)) nearest = { place: right, likeness: both }
    }
    const other = nearest && entries[nearest.place]
    const tool = model.tools[left]
    if (!nearest || !other || !tool) return []
    return [
      {
        rule: 'confusable-tools',
        severity: 'note',
        message: `"${entry.tool}" and "${other.tool}" read alike (${Math.round(nearest.likeness * 100)} %): ${difference(entry, other)}.`,
        fix: 'Say in both descriptions when to take the one and when the other, or make one Tool of them with a parameter.',
        at: tool.at,
        tool: entry.tool,
      } as const,
    ]
  })
}

/** Returns the stems of name and description. Stemming them again changes little, and equally on both sides. */
function textOf({ name, about }: SearchEntry): string {
  return [...name, ...about].join(' ')
}

function difference(left: SearchEntry, right: SearchEntry): string {
  const only = (entry: SearchEntry, other: SearchEntry): string => {
    const has = new Set([...other.name, ...other.about])
    const words = [...new Set([...entry.name, ...entry.about])].filter((word) => !has.has(word))
    const shown = words
      .slice(0, namedWords)
      .map((word) => `"${word}"`)
      .join(', ')
    return words.length > namedWords ? `${shown}, …` : shown
  }
  const [first, second] = [only(left, right), only(right, left)]
  if (first === '' && second === '') return 'no word tells them apart'
  if (first === '') return `only ${second} tells the second apart`
  if (second === '') return `only ${first} tells the first apart`
  return `${first} against ${second}`
}
