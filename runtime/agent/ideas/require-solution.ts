import { interpretCheck } from '../../check-tree/interpret.ts'
import { CallsheetError, type Problem } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { listProblems } from '../../problems/problem.ts'
import type { JsonSchema } from '../../schema/schema.ts'

/**
 * Throws unless a stored solution follows the schema that it answers.
 *
 * @throws CallsheetError `answer_invalid`, with every problem.
 */
export function requireSolution(solution: unknown, schema: JsonSchema, whose: string): void {
  const check = interpretCheck(schema)
  if (check(solution)) return
  const problems: Problem[] = []
  check(solution, '', problems)
  const tools = toolsOf(solution, problems)
  const where = tools.length === 0 ? '' : `, in Calls of ${tools.join(', ')}`
  const message = `${whose} solution does not follow its schema${where}: ${listProblems(problems)}.`
  throw new CallsheetError('answer_invalid', message, { problems })
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
