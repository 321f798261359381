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

/** Explains what a change of a Call's parameters means for the order of deployment. */
export function callMeaning(subject: Subject, { forward, backward }: Directions): string {
  return sentences(
    gapSentence(subject, forward, {
      breaks: (which) => `New workers refuse Calls ${which}.`,
      unknown: (why) => `Cannot decide whether new workers accept every old Call: ${why}.`,
    }),
    gapSentence(subject, backward, {
      breaks: (which) => `Old workers refuse Calls ${which}.`,
      unknown: (why) => `Cannot decide whether old workers accept every new Call: ${why}.`,
    }),
  )
}

/** Explains what a change of an output means for the code that reads it. */
export function outputMeaning(subject: Subject, { forward, backward }: Directions): string {
  return sentences(
    gapSentence(subject, forward, {
      breaks: (which) => `Old code may read an output ${which}, which it does not expect.`,
      unknown: (why) => `Cannot decide whether old code accepts every new output: ${why}.`,
    }),
    gapSentence(subject, backward, {
      breaks: (which) => `New code may read an output ${which} from an old worker.`,
      unknown: (why) => `Cannot decide whether new code accepts every old output: ${why}.`,
    }),
  )
}

function sentences(...parts: readonly (string | undefined)[]): string {
  const present = parts.filter((part) => part !== undefined)
  return present.length > 0 ? present.join(' ') : 'Safe in either order.'
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

/** Describes the values that one side accepts and the other refuses. */
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

/** Returns the value at a location. `*` stands for the last item of an array; in an object nothing matches it. */
function valueAt(value: unknown, location: Location): unknown {
  let part = value
  for (const token of location) {
    if (Array.isArray(part)) part = token === '*' ? part.at(-1) : part[Number(token)]
    else if (isJsonObject(part) && token !== '*') part = own(part, token)
    else return undefined
  }
  return part
}
