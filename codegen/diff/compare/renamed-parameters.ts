import { isMetaField } from '../../../runtime/schema/meta-fields.ts'
import type { Schema } from '../../../runtime/schema/schema.ts'
import type { Change } from '../change.ts'
import type { ContractTool } from '../contract.ts'
import { makeChange, worst } from './make-change.ts'
import { namelessText } from './nameless-text.ts'
import { overlap, wordsOf } from './words.ts'

/** The old and the new name of a parameter. */
interface Rename {
  readonly old: string
  readonly now: string
}

/** Merges a removed and an added parameter into one change if the parameter was renamed (DIFF-4). */
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
      facts: ['renamed', old],
      meaning: `New workers refuse Calls that carry \`${old}\`, old workers those that carry \`${now}\`.`,
      forward: worst(parts.map(({ verdicts }) => verdicts.together)),
      backward: worst(parts.map(({ verdicts }) => verdicts['agent-first'])),
      // One example is enough for both names.
      examples: parts.flatMap(({ examples }) => examples).slice(0, 1),
    })
    left = [...left.filter((change) => !parts.includes(change)), merged]
  }
  return left
}

function renamesOf(before: ContractTool, after: ContractTool): Rename[] {
  const [removed, added] = [missing(before, after), missing(after, before)]
  // Computed once: each removed parameter is compared with each added one.
  const oldForms = new Map(removed.map((old) => [old, formOf(before, old)]))
  const forms = new Map(added.map((now) => [now, formOf(after, now)]))
  const taken = new Set<string>()
  return removed.flatMap((old) => {
    const form = oldForms.get(old)
    const isOnlyPair = [oldForms, forms].every(
      (of) => [...of.values()].filter((each) => each === form).length === 1,
    )
    const alike = added
      .filter((now) => !taken.has(now) && forms.get(now) === form)
      .map((now) => ({ old, now, score: likeness(before, old, after, now) }))
      .sort((left, right) => right.score - left.score)
    const [best, second] = alike
    // Do not guess between equally similar candidates, nor pair parameters without a common word that others are like.
    if (!best || best.score === second?.score || (best.score === 0 && !isOnlyPair)) return []
    taken.add(best.now)
    return [{ old, now: best.now }]
  })
}

/** Lists the parameters that only one side has. Skips names that a JSON pointer would escape. */
function missing({ schema }: ContractTool, other: ContractTool): string[] {
  const known = other.schema.properties ?? {}
  return Object.keys(schema.properties ?? {}).filter(
    (name) => !Object.hasOwn(known, name) && !isMetaField(name) && !/[~/]/.test(name),
  )
}

/** Serialises a parameter without its name and wording, for comparison. */
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
