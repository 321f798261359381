import { linkSchema } from '../check-tree/link-schema.ts'
import { definitionReferences } from '../check-tree/references.ts'
import { check } from '../checks/check.ts'
import type { Step, Verdict } from '../checks/step.ts'
import { callSchema } from '../schema/call-schema.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'
import type { Checks } from '../schema/validator.ts'
import { fieldsApart } from './fields-apart.ts'
import { withoutFreeFields } from './tool-entry.ts'

/**
 * Makes the checks of a generated Tool: its verdicts are compiled, and the reasons of a "no" are linked from the same
 * schema, with the first value that is refused and asked about. So a Tool's module has no code for them, and a process
 * that refuses nothing never reads the schema for it.
 *
 * @param text The Tool's schema as JSON text; `generate` has taken it, so that nothing in it is unsupported.
 */
export function generatedChecks(text: string, call: Verdict, output?: Verdict): Checks {
  let steps: Reasons | undefined
  const reasons = (): Reasons => {
    steps ??= linkReasons(JSON.parse(text) as ToolSchema)
    return steps
  }
  return {
    call: check(call, (value, path, problems) => reasons().call(value, path, problems)),
    ...(output && {
      output: check(output, (value, path, problems) => reasons().output(value, path, problems)),
    }),
  }
}

interface Reasons {
  readonly call: Step
  readonly output: Step
}

function linkReasons(tool: ToolSchema): Reasons {
  const references = definitionReferences(tool.$defs ?? {})
  const { schema, strip, apart } = callSchema(tool)
  const link = (each: Schema): Step => linkSchema(each, references)
  const whole = (): Step => (strip ? withoutFreeFields(link(schema)) : link(schema))
  return {
    call: apart ? fieldsApart(link(apart.parameters), link(apart.fields)) : whole(),
    output: linkSchema(outputSchema(tool) ?? true, references),
  }
}
