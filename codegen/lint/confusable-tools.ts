import { Ranker } from '../../runtime/find/ranker.ts'
import type { SearchEntry } from '../../runtime/find/search-entry.ts'
import { searchEntries } from '../find/find.ts'
import type { Finding, Model } from '../model.ts'

/** Two Tools are near in wording when each answers the other's name and description at least so well as its own. */
const nearInWording = 0.65
/** How near is near where both take the same parameters: nothing but the wording tells them apart. */
const nearWithSameParameters = 0.55

/** Words that only one of two Tools has are named up to this many. */
const namedWords = 4

/**
 * A note for each pair of Tools that a reader is likely to confuse (FIND-3): near in wording, or near in wording with the
 * same parameters. The nearest pair comes first for each Tool; a Tool is named as the first of a pair once.
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
  // Made once: each of a thousand Tools is held against a thousand.
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

/** The stems of name and description; stemming them again changes them little, and both sides alike. */
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
