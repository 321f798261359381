import { interpretCheck } from '../../check-tree/interpret.ts'
import { CallsheetError, type Problem } from '../../errors.ts'
import { listProblems } from '../../problems/problem.ts'
import type { JsonSchema } from '../../schema/schema.ts'

/**
 * Refuses a stored solution that breaks the schema that it answers.
 *
 * @throws CallsheetError `answer_invalid`, with every problem.
 */
export function requireSolution(solution: unknown, schema: JsonSchema, whose: string): void {
  const check = interpretCheck(schema)
  if (check(solution)) return
  const problems: Problem[] = []
  check(solution, '', problems)
  const message = `${whose} solution does not follow its schema: ${listProblems(problems)}.`
  throw new CallsheetError('answer_invalid', message, { problems })
}
