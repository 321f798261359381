import { isMetaField } from '../../../runtime/schema/meta-fields.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Change } from '../change.ts'
import type { ContractTool } from '../contract.ts'
import { makeChange, worst } from './make-change.ts'
import { namelessText } from './nameless-text.ts'
import { overlap, wordsOf } from './words.ts'

/** A parameter under its two names. */
interface Rename {
  readonly old: string
  readonly now: string
}

/** Makes one change of a parameter that went and one that came, where they are the same under another name (DIFF-4). */
export function mergeRenames(
  before: ContractTool,
  after: ContractTool,
  changes: readonly Change[],
): readonly Change[] {
  let left = changes
  for (const { old, now } of renamesOf(before, after)) {
    const parts = left.filter(({ path }) => path === `/${old}` || path === `/${now}`)
    if (parts.length === 0) continue
    const merged = makeChange('wire', after, {
      path: `/${now}`,
      pointer: `/properties/${now}`,
      title: `Parameter \`${old}\` renamed to \`${now}\`.`,
      meaning: `A worker of today refuses Calls that carry \`${old}\`, a worker of yesterday those that carry \`${now}\`.`,
      forward: worst(parts.map(({ verdicts }) => verdicts.together)),
      backward: worst(parts.map(({ verdicts }) => verdicts['agent-first'])),
      // Of both names one example says it.
      examples: parts.flatMap(({ examples }) => examples).slice(0, 1),
    })
    left = [...left.filter((change) => !parts.includes(change)), merged]
  }
  return left
}

function renamesOf(before: ContractTool, after: ContractTool): Rename[] {
  const [removed, added] = [missing(before, after), missing(after, before)]
  const isOnlyPair = removed.length === 1 && added.length === 1
  // Read once: each of those that went is held against each that came.
  const forms = new Map(added.map((now) => [now, formOf(after, now)]))
  const taken = new Set<string>()
  return removed.flatMap((old) => {
    const form = formOf(before, old)
    const alike = added
      .filter((now) => !taken.has(now) && forms.get(now) === form)
      .map((now) => ({ old, now, score: likeness(before, old, after, now) }))
      .sort((left, right) => right.score - left.score)
    const [best, second] = alike
    // Two that are alike as much are not told apart; one that is not alike in words may be another by chance.
    if (!best || best.score === second?.score || (best.score === 0 && !isOnlyPair)) return []
    taken.add(best.now)
    return [{ old, now: best.now }]
  })
}

/** The parameters of one side that the other does not have; names that a pointer would escape are left alone. */
function missing({ schema }: ContractTool, other: ContractTool): string[] {
  const known = other.schema.properties ?? {}
  return Object.keys(schema.properties ?? {}).filter(
    (name) => !Object.hasOwn(known, name) && !isMetaField(name) && !/[~/]/.test(name),
  )
}

/** What a parameter is, whatever its name and its description are. */
function formOf({ schema }: ContractTool, name: string): string {
  const isRequired = schema.required?.includes(name) === true
  return `${isRequired} ${namelessText(schema.properties?.[name] as Schema, schema.$defs ?? {})}`
}

function likeness(before: ContractTool, old: string, after: ContractTool, now: string): number {
  const described = [before.schema.properties?.[old], after.schema.properties?.[now]].map((schema) =>
    typeof schema === 'object' ? schema.description : undefined,
  )
  const isSaidAlike = described[0] !== undefined && described[0] === described[1]
  return (isSaidAlike ? 1 : 0) + overlap(wordsOf(old), wordsOf(now))
}
