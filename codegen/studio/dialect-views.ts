import { compose } from '../../runtime/compose/compose.ts'
import { type DialectName, dialectNames } from '../../runtime/dialects/dialect-name.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { composedBranches } from '../../runtime/lower/composed-tools.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { explainedDialects } from '../explain/explain.ts'
import type { BenchTool, Workbench } from './bench/workbench.ts'
import type { DialectView } from './wire/tools.ts'

/** Returns the schema, losses and cost of a single Tool in each dialect. */
export function dialectViews(
  tool: BenchTool,
  { composeOptions, countTokens }: Workbench,
  wanted: readonly string[],
): DialectView[] {
  const dialects = dialectNames.filter((name: DialectName) => wanted.includes(name))
  const declared = compose([tool], composeOptions)
  return explainedDialects(declared, dialects, countTokens).map(({ schema, tokens, ...view }) => ({
    ...view,
    schema: schema === undefined ? null : branchIn(schema as JsonSchema),
    ...(tokens !== undefined && { tokens }),
  }))
}

/** Returns the Tool's branch with its definitions, without the wrapping schema, which is the same for every Tool. */
function branchIn(schema: JsonSchema): unknown {
  const [branch] = composedBranches(schema)
  if (!isJsonObject(branch)) return schema
  return schema.$defs === undefined ? branch : { ...branch, $defs: schema.$defs }
}
