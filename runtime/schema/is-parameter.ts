import { isMetaField } from './meta-fields.ts'
import type { ToolFacts } from './tool-facts.ts'

/** True for a property that is a parameter: no underscore, or named by the `parameters` option (TOOL-2). */
export function isParameter(facts: ToolFacts, property: string): boolean {
  return (
    !property.startsWith('_') || (!isMetaField(property) && (facts.parameters?.includes(property) ?? false))
  )
}

/** True for a parameter in which a text such as `†state.x` is a Reference, and not text (`references: false`). */
export function mayHoldReferences(facts: ToolFacts, property: string): boolean {
  const { literal } = facts
  return isParameter(facts, property) && literal !== true && !literal?.includes(property)
}
