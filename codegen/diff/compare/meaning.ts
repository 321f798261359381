import { isJsonObject, own } from '../../../runtime/json/json.ts'
import type { Location } from '../containment/prover.ts'
import { brief } from './brief.ts'
import type { Subject } from './describe-change.ts'
import { placeName } from './describe-change.ts'
import type { JudgedGap } from './gaps.ts'

interface Directions {
  readonly forward: readonly JudgedGap[]
  readonly backward: readonly JudgedGap[]
}

/** What a change of a Call's parameters means for who is deployed when. */
export function callMeaning(subject: Subject, { forward, backward }: Directions): string {
  return sentences(
    gapSentence(subject, forward, {
      breaks: (which) => `A worker of today refuses Calls ${which}.`,
      unknown: (why) => `Whether a worker of today takes every Call of yesterday cannot be told: ${why}.`,
    }),
    gapSentence(subject, backward, {
      breaks: (which) => `A worker of yesterday refuses Calls ${which}.`,
      unknown: (why) => `Whether a worker of yesterday takes every Call of today cannot be told: ${why}.`,
    }),
  )
}

/** What a change of an output means for who reads it. */
export function outputMeaning(subject: Subject, { forward, backward }: Directions): string {
  return sentences(
    gapSentence(subject, forward, {
      breaks: (which) => `Code of yesterday may read an output ${which}, which it does not expect.`,
      unknown: (why) => `Whether code of yesterday expects every output of today cannot be told: ${why}.`,
    }),
    gapSentence(subject, backward, {
      breaks: (which) => `Code of today may read an output ${which} from a worker of yesterday.`,
      unknown: (why) => `Whether code of today expects every output of yesterday cannot be told: ${why}.`,
    }),
  )
}

function sentences(...parts: readonly (string | undefined)[]): string {
  const said = parts.filter((part) => part !== undefined)
  return said.length > 0 ? said.join(' ') : 'Safe in every order.'
}

function gapSentence(
  { half, location }: Subject,
  gaps: readonly JudgedGap[],
  say: { breaks(which: string): string; unknown(why: string): string },
): string | undefined {
  const [gap] = [...gaps.filter(({ verdict }) => verdict === 'breaks'), ...gaps]
  if (!gap) return undefined
  if (gap.verdict === 'breaks') return say.breaks(whichValues(half, location, gap))
  if (gap.keyword === 'unreadable') return say.unknown(String(gap.wants))
  if (gap.keyword === 'size') return say.unknown('the schemas are too large to compare')
  const place = location.length === 0 ? '' : ` of ${placeName(half, location)}`
  return say.unknown(
    `no rule decides \`${gap.keyword}\` ${brief(gap.wants, 60)}${place}, and no example was found`,
  )
}

/** Tells the values apart that one side takes and the other does not. */
function whichValues(
  half: 'call' | 'output',
  location: Location,
  { keyword, wants, example }: JudgedGap,
): string {
  const name = `\`${location.join('.')}\``
  if (keyword === 'required') return `without ${name}`
  if (wants === false && location.at(-1) !== '*' && location.length > 0)
    return half === 'call' ? `that carry ${name}` : `with ${name}`
  const value = valueAt(example?.value, location)
  if (location.length === 0 || value === undefined) return `such as ${brief(example?.value)}`
  return `with ${name} ${brief(value)}`
}

/** The value at a place; of any item or further property, the first. */
function valueAt(value: unknown, location: Location): unknown {
  let part = value
  for (const token of location) {
    if (Array.isArray(part)) part = token === '*' ? part.at(-1) : part[Number(token)]
    else if (isJsonObject(part) && token !== '*') part = own(part, token)
    else return undefined
  }
  return part
}
