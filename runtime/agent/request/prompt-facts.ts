import type { Composed } from '../../compose/compose.ts'
import { isJsonObject, own } from '../../json/json.ts'
import { composedBranches } from '../../lower/composed-tools.ts'

/** The features of a schema that a prompt can explain (REQ-13). */
export type ExplainedField =
  | '_outputPath'
  | 'references'
  | '_activity'
  | '_scopes'
  | '_instance'
  | '_delegate'
  | '_outputMethod'

/** Lists the features of a composed schema, in the order of their explanations. */
export function explainedFields({ schema, hasReferences }: Composed): ExplainedField[] {
  const branches = composedBranches(schema).flatMap((branch) =>
    isJsonObject(branch) && isJsonObject(branch.properties) ? [branch.properties] : [],
  )
  const occurs = (field: string): boolean => branches.some((properties) => Object.hasOwn(properties, field))
  const isLatent = (properties: object): boolean => {
    const activity = own(properties, '_activity')
    return Object.hasOwn(properties, '_output') && isJsonObject(activity) && activity.const === ''
  }
  const fields: [ExplainedField, boolean][] = [
    ['_outputPath', occurs('_outputPath')],
    ['references', hasReferences],
    ['_activity', branches.some(isLatent)],
    ['_scopes', occurs('_scopes')],
    ['_instance', occurs('_instance')],
    ['_delegate', occurs('_delegate')],
    ['_outputMethod', occurs('_outputMethod')],
  ]
  return fields.flatMap(([field, isOffered]) => (isOffered ? [field] : []))
}
