import type { Finding } from '../model.ts'

/**
 * Joins the findings of building and checking a model. A meta-field that is not even a schema was replaced by an empty one, which
 * breaks the rule of the meta-field as well: the two become one finding, with the advice of that rule.
 */
export function onePerMistake(built: readonly Finding[], checked: readonly Finding[]): Finding[] {
  const twinOf = (finding: Finding): Finding | undefined =>
    finding.rule === 'malformed-schema'
      ? checked.find((other) => other.rule === 'bad-meta-field' && isSamePlace(other, finding))
      : undefined
  const twins = new Map(built.map((finding) => [finding, twinOf(finding)] as const))
  const dropped = new Set(twins.values())
  return [
    ...built.map((finding) => {
      const twin = twins.get(finding)
      return twin ? { ...finding, fix: twin.fix } : finding
    }),
    ...checked.filter((finding) => !dropped.has(finding)),
  ]
}

function isSamePlace(one: Finding, other: Finding): boolean {
  return one.tool === other.tool && one.pointer === other.pointer && one.at?.file === other.at?.file
}
