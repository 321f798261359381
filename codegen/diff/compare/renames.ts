import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import type { ContractTool } from '../contract.ts'
import { namelessText } from './nameless-text.ts'
import { overlap, wordsOf } from './words.ts'

/** The Tools of two sides, paired. */
export interface Pairs {
  /** Tools with the same name, and renamed ones. */
  readonly kept: readonly (readonly [before: ContractTool, after: ContractTool])[]
  readonly removed: readonly ContractTool[]
  readonly added: readonly ContractTool[]
}

/** The least likeness of a removed and an added Tool to count as a rename. */
const alikeEnough = 0.6

/** Pairs Tools by name. Of the others, the most similar pairs count as renamed. */
export function pairTools(before: readonly ContractTool[], after: readonly ContractTool[]): Pairs {
  const names = new Map(before.map((tool) => [tool.name, tool]))
  const kept: [ContractTool, ContractTool][] = []
  const added: ContractTool[] = []
  for (const tool of after) {
    const same = names.get(tool.name)
    if (same) kept.push([same, tool])
    else added.push(tool)
    names.delete(tool.name)
  }
  const removed = [...names.values()]
  // Computed once: if all Tools were renamed, each of a thousand is compared with a thousand.
  const [olds, nows] = [removed.map(traitsOf), added.map(traitsOf)]
  const scored = olds
    .flatMap((old) =>
      nows.flatMap((now) => {
        const score = likeness(old, now)
        return score >= alikeEnough ? { old: old.tool, now: now.tool, score } : []
      }),
    )
    .sort((left, right) => right.score - left.score)
  const taken = new Set<ContractTool>()
  for (const { old, now } of scored) {
    if (taken.has(old) || taken.has(now)) continue
    taken.add(old).add(now)
    kept.push([old, now])
  }
  const isLeft = (tool: ContractTool): boolean => !taken.has(tool)
  return { kept, removed: removed.filter(isLeft), added: added.filter(isLeft) }
}

/** The properties by which renamed Tools are recognised. */
interface Traits {
  readonly tool: ContractTool
  /** The schema of each parameter as text, by name. */
  readonly members: ReadonlyMap<string, string>
  readonly words: ReadonlySet<string>
}

function traitsOf(tool: ContractTool): Traits {
  return { tool, members: membersOf(tool), words: wordsOf(tool.name) }
}

/** Returns the likeness of two Tools from 0 to 1, by their parameters, names and descriptions. */
function likeness(old: Traits, now: Traits): number {
  let [same, shared] = [0, 0]
  for (const [name, member] of old.members) {
    const other = now.members.get(name)
    if (other !== undefined) shared++
    if (other === member) same++
  }
  const names = old.members.size + now.members.size - shared
  const shape = names === 0 ? 0 : same / names
  const { description: said } = old.tool.schema
  const description = said !== undefined && said === now.tool.schema.description ? 1 : 0
  const words = overlap(old.words, now.words)
  // Without common parameters or a common word, two small Tools could match by chance.
  if (description === 0 && words === 0 && (shape < 1 || names < 2)) return 0
  return 0.6 * shape + 0.25 * description + 0.25 * words
}

function membersOf({ schema }: ContractTool): Map<string, string> {
  const { properties = {}, $defs = {} }: JsonSchema = schema
  return new Map(
    Object.entries(properties)
      .filter(([name]) => name !== '_tool')
      .map(([name, member]) => [name, namelessText(member, $defs)]),
  )
}
