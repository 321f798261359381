import { isMessage } from '../../context/well-formed-message.ts'
import { CallsheetError, type Problem } from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { isJson } from '../../json/not-json.ts'
import { listProblems, oneOfWords, problem } from '../../problems/problem.ts'
import { asError } from '../call-errors.ts'
import { isOutcomeStatus, type Outcome, outcomeStatuses } from '../outcome.ts'
import type { RunOptions } from '../run-options.ts'

/** Runs the hook `after`, if there is one, and returns the Outcome or its replacement (CALL-10). Never rejects. */
export async function runAfterHook(
  pending: Outcome | Promise<Outcome>,
  { after }: RunOptions,
): Promise<Outcome> {
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

/** Returns the Outcome with the error of the hook, and appends nothing. The rest stays: the Call did run. */
function failedBy(outcome: Outcome, error: CallsheetError): Outcome {
  return { ...outcome, status: 'failed', error, appended: [] }
}

/** Lists what is wrong with a replacement. It must keep id and Tool: a Call has one Outcome (CALL-8). */
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
    [output === undefined || isJson(output), '/output', 'plain JSON, or nothing', output],
  ]
  return expected.flatMap(([holds, path, wanted, found]) => (holds ? [] : [problem(path, wanted, found)]))
}

/** Accepts errors as data, too: those of an engine went through JSON. */
function isError(value: unknown): boolean {
  return isJsonObject(value) && typeof value.code === 'string'
}
