import { isOutcomeStatus } from '../../runtime/call/outcome.ts'
import type { ErrorData } from '../../runtime/errors.ts'
import { isJsonObject } from '../../runtime/json/json.ts'
import type { OutcomeJson } from '../../runtime/server/outcome-json.ts'
import { isProblemData } from '../../runtime/server/outcome-there.ts'

/**
 * The Outcome that a server tells of, which may be anybody's: parts that have another form than those of an Outcome are
 * left out.
 *
 * @returns undefined for what is no Outcome.
 */
export function readOutcome(told: unknown): OutcomeJson | undefined {
  if (!isJsonObject(told) || !isOutcomeStatus(told.status)) return undefined
  const { error, appended, attempts, ...rest } = told
  return {
    ...rest,
    attempts: typeof attempts === 'number' ? attempts : 0,
    appended: Array.isArray(appended) ? appended : [],
    ...(isJsonObject(error) && { error: readError(error) }),
    // The one cast: the rest is shown as it came.
  } as unknown as OutcomeJson
}

function readError({
  name,
  code,
  message,
  problems,
  suggestions,
}: Partial<Record<string, unknown>>): ErrorData {
  return {
    name: typeof name === 'string' ? name : 'Error',
    code: typeof code === 'string' ? code : 'failed',
    message: typeof message === 'string' ? message : 'The server gave no reason.',
    ...(Array.isArray(problems) && { problems: problems.filter(isProblemData) }),
    ...(Array.isArray(suggestions) && {
      suggestions: suggestions.filter((each): each is string => typeof each === 'string'),
    }),
  }
}
