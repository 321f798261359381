import { interpretCheck } from '../../runtime/check-tree/interpret.ts'
import { parseReference } from '../../runtime/context/reference.ts'
import { CallsheetError, type Problem } from '../../runtime/errors.ts'
import { isJsonObject, own } from '../../runtime/json/json.ts'
import { pointerNames } from '../../runtime/json/pointer-names.ts'
import { problem } from '../../runtime/problems/problem.ts'
import { outputSchema } from '../../runtime/schema/output-schema.ts'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import type { Check } from '../../runtime/schema/validator.ts'
import { interpretedCallCheck } from '../../runtime/tools/interpreted-checks.ts'

/** Finds why an example is not a valid Call of its Tool. */
export type FindExampleProblems = (example: unknown) => Problem[]

/**
 * Creates the check of a Tool's examples (REQ-16). An example is a Call as a model may write it: a Reference may replace
 * any value, since its value is not known here, and `_tool` may be missing, since the Tool is known.
 *
 * @param schema The Tool's schema with its `$defs`.
 * @returns undefined for a schema that cannot be checked, which other rules report.
 */
export function exampleCheck(name: string, schema: ToolSchema): FindExampleProblems | undefined {
  const output = outputSchema(schema)
  const check = whereSupported(() => interpretedCallCheck(schema))
  const checkOutput = output === undefined ? undefined : whereSupported(() => interpretCheck(output))
  if (!check) return undefined
  return (example) => {
    if (!isJsonObject(example)) return [problem('', `a Call of "${name}"`, example)]
    const problems: Problem[] = []
    const tool = own(example, '_tool')
    if (tool !== undefined && tool !== name) problems.push(problem('/_tool', `"${name}"`, tool))
    check(example, '', problems)
    const answer = own(example, '_output')
    if (answer !== undefined) checkOutput?.(answer, '/_output', problems)
    return problems.filter(({ path }) => !isReference(valueAt(example, path)))
  }
}

function whereSupported(make: () => Check): Check | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof CallsheetError && error.code === 'unsupported_schema') return undefined
    throw error
  }
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointerNames(pointer).reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? own(at, name) : undefined),
    value,
  )
}

function isReference(value: unknown): boolean {
  if (typeof value !== 'string') return false
  try {
    return parseReference(value) !== null
  } catch (error) {
    // A path into `__proto__` can never be resolved as a Reference.
    if (error instanceof CallsheetError) return false
    throw error
  }
}
