import { interpretCheck } from '../check-tree/interpret.ts'
import { callSchema } from '../schema/call-schema.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { ToolSchema } from '../schema/schema.ts'
import type { Check, Checks } from '../schema/validator.ts'
import { fieldsApart } from './fields-apart.ts'
import { withoutFreeFields } from './tool-entry.ts'

/**
 * Creates the checks of a Tool that was registered at run time, by interpreting its schema.
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function interpretedChecks(tool: ToolSchema): Checks {
  const output = outputSchema(tool)
  return {
    call: interpretedCallCheck(tool),
    ...(output !== undefined && { output: interpretCheck(output) }),
  }
}

/**
 * Creates the check of a Tool's Calls: of their parameters and declared meta-fields (CALL-1a).
 *
 * @throws CallsheetError `unsupported_schema`.
 */
export function interpretedCallCheck(tool: ToolSchema): Check {
  const { schema, strip, apart } = callSchema(tool)
  if (apart) return fieldsApart(interpretCheck(apart.parameters), interpretCheck(apart.fields))
  const check = interpretCheck(schema)
  return strip ? withoutFreeFields(check) : check
}
