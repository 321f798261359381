import { compose } from '../../runtime/compose/compose.ts'
import { type DialectName, dialectNames } from '../../runtime/dialects/dialect-name.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import { composedBranches } from '../../runtime/lower/composed-tools.ts'
import type { JsonSchema } from '../../runtime/schema/schema.ts'
import { explainedDialects } from '../explain/explain.ts'
import type { BenchTool, Workbench } from './bench/workbench.ts'
import type { DialectView } from './wire/tools.ts'

/** What each dialect sends of a Tool that is offered alone, what it loses, and what it costs. */
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

/** The Tool's own branch with what it refers to: what stands around it is the same for every Tool. */
function branchIn(schema: JsonSchema): unknown {
  const [branch] = composedBranches(schema)
  if (!isJsonObject(branch)) return schema
  return schema.$defs === undefined ? branch : { ...branch, $defs: schema.$defs }
}
