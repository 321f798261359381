import { CallsheetError, type Problem } from '../errors.ts'
import { listSome, saidProblem } from '../problems/problem.ts'
import type { SchemaProblem } from './schema-problem.ts'

/** Builds the error of a schema that cannot be used, with everything that is wrong with it. */
export function schemaError(beginning: string, wrong: readonly SchemaProblem[]): CallsheetError {
  const problems: readonly Problem[] = wrong.map(
    ({ pointer, message, fix, expected = fix, received = message }) =>
      saidProblem(pointer, expected, received, `${message} ${fix}`),
  )
  const sentences = problems.map(({ message }) => message)
  return new CallsheetError('unsupported_schema', `${beginning}: ${listSome(sentences, 5, ' ')}`, {
    problems,
  })
}
