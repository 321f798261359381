import { interpretCheck } from '../../check-tree/interpret.ts'
import { CallsheetError, type Problem } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { composedBranches, toolName } from '../../lower/composed-tools.ts'
import { listProblems } from '../../problems/problem.ts'
import { fixedValue } from '../../schema/fixed-value.ts'
import { isFreeField, isMetaField } from '../../schema/meta-fields.ts'
import type { JsonSchema, Schema } from '../../schema/schema.ts'

/**
 * Throws unless a stored solution follows the schema that it answers.
 *
 * @throws CallsheetError `answer_invalid`, with every problem.
 */
export function requireSolution(solution: unknown, schema: JsonSchema, whose: string): void {
  const check = interpretCheck(withOptionalFields(schema))
  if (check(solution)) return
  const filled = withFilledFields(solution, schema)
  if (check(filled)) return
  const problems: Problem[] = []
  check(filled, '', problems)
  const tools = toolsOf(solution, problems)
  const where = tools.length === 0 ? '' : `, in Calls of ${tools.join(', ')}`
  const message = `${whose} solution does not follow its schema${where}: ${listProblems(problems)}.`
  throw new CallsheetError('answer_invalid', message, { problems })
}

/**
 * A composed schema that asks of a Call what running it asks (CALL-1a): `_reasoningForCall`, `_activity` and what the
 * Tool fixes may be missing. A provider's own tools do not send `_activity`, and not every server holds its model to
 * what is required.
 */
function withOptionalFields(schema: JsonSchema): JsonSchema {
  const branches = composedBranches(schema)
  if (branches.length === 0) return schema
  const { properties = {} } = schema
  const { items, ...calls } = properties.calls as JsonSchema
  const anyOf = branches.map(withNeededFields)
  return {
    ...schema,
    properties: { ...properties, calls: { ...calls, items: { ...(items as JsonSchema), anyOf } } },
  }
}

function withNeededFields(branch: Schema): Schema {
  if (!isJsonObject(branch)) return branch
  const { properties = {}, required = [] } = branch as JsonSchema
  // An edited file can have anything there: building the check refuses it.
  if (!isJsonObject(properties) || !Array.isArray(required)) return branch
  const optional = optionalFields(branch)
  return { ...branch, required: required.filter((name) => !optional.includes(name)) }
}

/** Returns the required fields of a branch that a Call may leave out. */
function optionalFields({ properties = {}, required = [] }: JsonSchema): string[] {
  const mayMiss = (name: string): boolean =>
    isMetaField(name) && (isFreeField(name) || fixedValue(properties[name]) !== undefined)
  return required.filter((name) => name !== '_tool' && mayMiss(name))
}

/** Fills in the fields that Calls may leave out: the `minProperties` of a composed schema counts them. */
function withFilledFields(solution: unknown, schema: JsonSchema): unknown {
  if (!isJsonObject(solution) || !Array.isArray(solution.calls)) return solution
  const branches = composedBranches(schema).filter(isJsonObject) as JsonSchema[]
  const byName = new Map(branches.map((branch) => [toolName(branch), branch]))
  const calls = solution.calls.map((call: unknown) => {
    const branch = isJsonObject(call) ? byName.get(call._tool as string) : undefined
    if (!branch) return call
    const { properties = {} } = branch
    const filled = optionalFields(branch).map((name) => [name, fixedValue(properties[name]) ?? ''])
    return { ...Object.fromEntries(filled), ...(call as object) }
  })
  return { ...solution, calls }
}

/** Returns the Tools whose Calls have problems, by the names in the solution (DIFF-5). */
function toolsOf(solution: unknown, problems: readonly Problem[]): string[] {
  const calls = isJsonObject(solution) && Array.isArray(solution.calls) ? solution.calls : []
  const names = problems.flatMap(({ path }): string[] => {
    const call: unknown = calls[Number(/^\/calls\/(\d+)(?:\/|$)/.exec(path)?.[1])]
    return isJsonObject(call) && typeof call._tool === 'string' ? [call._tool] : []
  })
  return [...new Set(names)]
}
