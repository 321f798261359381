import { isMessage } from '../../context/well-formed-message.ts'
import { CallsheetError, type Problem } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { isJson } from '../../json/not-json.ts'
import { listProblems, oneOfWords, problem } from '../../problems/problem.ts'
import { asError } from '../call-errors.ts'
import { isOutcomeStatus, type Outcome, outcomeStatuses } from '../outcome.ts'
import type { RunOptions } from '../run-options.ts'

/** Lets the hook `after`, where there is one, see the Outcome, and replace it (CALL-10). Never rejects. */
export async function askAfter(pending: Outcome | Promise<Outcome>, { after }: RunOptions): Promise<Outcome> {
  const outcome = await pending
  if (!after) return outcome
  try {
    const instead: unknown = await after(outcome)
    if (instead === undefined) return outcome
    const problems = outcomeProblems(instead, outcome)
    if (problems.length === 0) return instead as Outcome
    const what = `The hook \`after\` returned something that is not an Outcome: ${listProblems(problems)}. Return nothing, or { ...outcome } with changes.`
    return failedBy(outcome, new CallsheetError('invalid_options', what, { problems }))
  } catch (thrown) {
    return failedBy(outcome, asError(thrown, 'The hook `after` threw'))
  }
}

/** What ran has run: its record stays, with the error of the hook. */
function failedBy(outcome: Outcome, error: CallsheetError): Outcome {
  return { ...outcome, status: 'failed', error, appended: [] }
}

/** What keeps a value from taking the place of an Outcome. Its identity stays: a Call has one Outcome (CALL-8). */
function outcomeProblems(value: unknown, { id, tool }: Outcome): Problem[] {
  if (!isJsonObject(value)) return [problem('', 'an Outcome', value)]
  const { status, error, appended, output } = value
  const isFailure = status !== 'succeeded'
  const expected: readonly (readonly [holds: boolean, path: string, expected: string, value: unknown])[] = [
    [value.id === id, '/id', JSON.stringify(id), value.id],
    [value.tool === tool, '/tool', JSON.stringify(tool), value.tool],
    [
      isOutcomeStatus(status),
      '/status',
      oneOfWords(outcomeStatuses.map((each) => JSON.stringify(each))),
      status,
    ],
    [
      isError(error) || (error === undefined && !isFailure),
      '/error',
      'an error with a code, for what did not succeed',
      error,
    ],
    [Array.isArray(appended) && appended.every(isMessage), '/appended', 'a list of Messages', appended],
    [canBeSaid(output), '/output', 'plain JSON, or nothing', output],
  ]
  return expected.flatMap(([holds, path, wanted, found]) => (holds ? [] : [problem(path, wanted, found)]))
}

/** A run would put it into its context, from which no later one could go on (ACT-7a). */
function canBeSaid(output: unknown): boolean {
  return output === undefined || isJson(output)
}

/** Errors that went through JSON, as an engine's do, are errors too. */
function isError(value: unknown): boolean {
  return isJsonObject(value) && typeof value.code === 'string'
}
