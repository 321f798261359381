import { isMetaField } from './meta-fields.ts'
import type { ToolFacts } from './tool-facts.ts'

/** True for a property that is a parameter: it has no leading underscore, or the `parameters` option lists it (TOOL-2). */
export function isParameter(facts: ToolFacts, property: string): boolean {
  return (
    !property.startsWith('_') || (!isMetaField(property) && (facts.parameters?.includes(property) ?? false))
  )
}

/** True for a parameter in which a string such as `†state.x` is a Reference; false if `references: false` makes it plain text. */
export function mayHoldReferences(facts: ToolFacts, property: string): boolean {
  const { literal } = facts
  return isParameter(facts, property) && literal !== true && !literal?.includes(property)
}
