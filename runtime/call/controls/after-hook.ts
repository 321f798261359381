import { isMessage } from '../../context/well-formed-message.ts'
import {
  CallsheetError,
  type ErrorCode,
  type ErrorData,
  isCallsheetError,
  type Problem,
} from '../../errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { maximumDepth, maximumValueDepth } from '../../json/json-copy.ts'
import { pointerOf } from '../../json/json-pointer.ts'
import { findNotJson, isJson } from '../../json/not-json.ts'
import { isString } from '../../problems/field-rule.ts'
import { messageOf } from '../../problems/message-of.ts'
import { listProblems, oneOfWords, problem } from '../../problems/problem.ts'
import { asError } from '../call-errors.ts'
import { isOutcomeStatus, type Outcome, outcomeStatuses } from '../outcome.ts'
import { ownOutcome } from '../own-outcome.ts'
import type { RunOptions } from '../run-options.ts'
import { withOwnWrites } from './replaced-writes.ts'

/**
 * Runs the hook `after` and returns the Outcome or its replacement (CALL-10). Never rejects.
 *
 * @param inGroup True for a Call of a group.
 */
export async function runAfterHook(
  after: NonNullable<RunOptions['after']>,
  outcome: Outcome,
  inGroup: boolean,
): Promise<Outcome> {
  // The hook may also change the Outcome itself: a copy shows that.
  const before = outcome.appended.length > 0 ? ownOutcome(outcome) : { ...outcome }
  // Said, since a model would ask for a payment again.
  const hook = `${before.attempts > 0 ? 'The Call ran, but the' : 'The'} hook \`after\``
  try {
    const returned: unknown = await after(outcome)
    const instead = returned === undefined ? outcome : returned
    const problems = outcomeProblems(instead, before)
    if (problems.length === 0) return withOwnWrites(before, withError(instead as Outcome), inGroup)
    const what = `${hook} returned something that is not an Outcome: ${listProblems(problems)}. Return nothing, or { ...outcome } with changes.`
    return failedBy(before, new CallsheetError('invalid_options', what, { problems }), inGroup)
  } catch (thrown) {
    return failedBy(before, asError(thrown, `${hook} threw`), inGroup)
  }
}

/** Returns the Outcome with the error of the hook. It does not write its output. The rest stays: the Call did run. */
function failedBy(outcome: Outcome, error: CallsheetError, inGroup: boolean): Outcome {
  return withOwnWrites(outcome, { ...outcome, status: 'failed', error }, inGroup)
}

/** Lists what is wrong with a replacement. It must keep id and Tool: a Call has one Outcome (CALL-8). */
function outcomeProblems(value: unknown, { id, tool }: Outcome): Problem[] {
  if (!isJsonObject(value)) return [problem('', 'an Outcome', value)]
  const { error, ...rest } = value
  const { status, appended, output, message } = rest
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
    [message === undefined || isMessage(message), '/message', 'a Message, or nothing', message],
  ]
  const problems = expected.flatMap(([holds, path, wanted, found]) =>
    holds ? [] : [problem(path, wanted, found)],
  )
  // All of it: one member that JSON has no word for, and a server could answer nothing, nor keep that the Call ran.
  // What it writes may nest deeper than the output, which is below its path and in a Message.
  const isPlain = isJson(output) && isJson(rest, maximumValueDepth - maximumDepth)
  const found = problems.length === 0 && !isPlain && findNotJson(rest)
  return found ? [problem(pointerOf(found.path), 'plain JSON', found.value)] : problems
}

/** Makes an error again of one that the hook gave as data, such as `{ ...outcome.error, message: 'hidden' }`. */
function withError(outcome: Outcome): Outcome {
  const given: ErrorData | undefined = outcome.error
  if (!given || isCallsheetError(given)) return outcome
  const error = new CallsheetError(given.code as ErrorCode, messageOf(given), isJson(given) ? given : {})
  if (isString(given.name)) error.name = given.name
  return { ...outcome, error }
}

/** Accepts errors as data, too: those of an engine went through JSON. */
function isError(value: unknown): boolean {
  return isJsonObject(value) && typeof value.code === 'string'
}
