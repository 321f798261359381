import { linkSchema } from '../check-tree/link-schema.ts'
import { definitionReferences } from '../check-tree/references.ts'
import { check } from '../checks/check.ts'
import type { Step, Verdict } from '../checks/step.ts'
import { CallsheetError } from '../errors.ts'
import { callSchema } from '../schema/call-schema.ts'
import { outputSchema } from '../schema/output-schema.ts'
import type { Schema, ToolSchema } from '../schema/schema.ts'
import { shortHash } from '../schema/tool-name.ts'
import type { Checks } from '../schema/validator.ts'
import { fieldsApart } from './fields-apart.ts'
import { withoutFreeFields } from './tool-entry.ts'

/**
 * Creates the checks of a generated Tool. The yes/no verdicts are compiled code. The reasons for a "no" are built from
 * the schema when they are first needed, so that a Tool's module contains no code for them, and a process that refuses
 * nothing never parses the schema for them.
 *
 * @param text The Tool's schema as JSON text. `generate` accepted it, so it contains no unsupported keyword.
 * @param hash The hash of the text that the verdicts were compiled from; absent from code of earlier versions.
 * @throws CallsheetError `contract_mismatch` if that is another text: the process has loaded it before the code was generated anew.
 */
export function generatedChecks(text: string, call: Verdict, output?: Verdict, hash?: string): Checks {
  if (hash !== undefined && hash !== shortHash(text)) {
    throw new CallsheetError(
      'contract_mismatch',
      'This process loaded the Tool before its code was generated anew. Start the process again.',
    )
  }
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
