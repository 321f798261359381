import { canonicalJson } from '../../../runtime/json/canonical-json.ts'
import { isJsonObject } from '../../../runtime/json/json.ts'
import type { JsonSchema } from '../../../runtime/schema/schema.ts'
import { withoutWording } from '../../../runtime/schema/without-wording.ts'
import type { ContractTool } from '../contract.ts'
import { overlap, wordsOf } from './words.ts'

/** The Tools of two sides, side by side. */
export interface Pairs {
  /** By name, or recognised under another. */
  readonly kept: readonly (readonly [before: ContractTool, after: ContractTool])[]
  readonly removed: readonly ContractTool[]
  readonly added: readonly ContractTool[]
}

/** From here on a Tool that went and one that came are taken for the same. */
const alikeEnough = 0.6

/** Pairs Tools by name; of those that are left, the ones that are most alike were renamed. */
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
  const scored = removed
    .flatMap((old) => added.map((now) => ({ old, now, score: likeness(old, now) })))
    .filter(({ score }) => score >= alikeEnough)
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

/** From 0 to 1: how much of what two Tools declare is the same, and how near their names and descriptions are. */
function likeness(old: ContractTool, now: ContractTool): number {
  const [was, is] = [old, now].map(membersOf) as [Map<string, string>, Map<string, string>]
  const names = new Set([...was.keys(), ...is.keys()])
  const same = [...names].filter((name) => was.get(name) === is.get(name)).length
  const shape = names.size === 0 ? 0 : same / names.size
  const description =
    old.schema.description !== undefined && old.schema.description === now.schema.description ? 1 : 0
  const words = overlap(wordsOf(old.name), wordsOf(now.name))
  // Without parameters in common or a telling name, two small Tools would be alike by chance.
  if (description === 0 && words === 0 && (shape < 1 || names.size < 2)) return 0
  return 0.6 * shape + 0.25 * description + 0.25 * words
}

function membersOf({ schema }: ContractTool): Map<string, string> {
  const { properties = {} }: JsonSchema = schema
  return new Map(
    Object.entries(properties)
      .filter(([name]) => name !== '_tool')
      .map(([name, member]) => [name, canonicalJson(isJsonObject(member) ? withoutWording(member) : member)]),
  )
}
