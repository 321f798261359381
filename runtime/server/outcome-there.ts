import { branch } from '../context/branch.ts'
import type { DataMessage } from '../context/message.ts'
import { asideMark } from '../context/message-mark.ts'
import { message } from '../context/well-formed-message.ts'
import { writesOf } from '../context/write.ts'
import {
  ActivityError,
  CallError,
  CallsheetError,
  type ErrorDetails,
  OutputError,
  type Problem,
} from '../errors.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { handOn } from '../problems/handed-on.ts'
import { briefly, ended } from '../problems/problem.ts'
import type { ActivityRun } from '../tools/activity.ts'

/** Longest text of a remote problem that is kept, in characters. */
const longestMessage = 10_000
/** Most problems, and most suggestions, of a remote failure that are kept; and the longest text of one, in characters. */
const mostParts = 100
const longestPart = 1_000

/** A Call that was sent to another process. */
export interface SentCall {
  readonly endpoint: string
  readonly tool: string
  /** The id that it was sent under. */
  readonly id: string
  /** What to say if its answer is lost: nothing if it may run again. */
  readonly ifLost: string
  /** False for a Tool without `_output`: what its Activity returns is dropped, unless it is a Message or a branch. */
  readonly hasOutput: boolean
}

/**
 * Reads a remote Outcome: reports its usage, and returns its output. Whatever the remote side sends, the thrown error is a
 * CallsheetError.
 *
 * @throws CallsheetError the failure in the Outcome.
 */
export function takeOutcome(
  outcome: unknown,
  { endpoint, id: sent, hasOutput, ifLost }: Omit<SentCall, 'tool'>,
  run: Pick<ActivityRun, 'spend'>,
): unknown {
  if (!isJsonObject(outcome)) {
    throw failedConnection(`${endpoint} gave an Outcome that cannot be read.${ifLost}`)
  }
  const { id, status, error, usage, appended } = outcome
  if (id !== undefined && id !== sent) {
    throw failedConnection(`${endpoint} answered with the Outcome of another Call, ${briefly(id)}.${ifLost}`)
  }
  if (isJsonObject(usage)) run.spend(usage)
  if (status === 'succeeded') return returnedThere(outcome, hasOutput)
  throw errorOf(isJsonObject(error) ? error : {}, endpoint, ifLost, thrownThere(appended))
}

/**
 * Returns what a remote Activity returned. Its `branch()` is one here too where neither output nor Message would write the same: to
 * several paths, and to the first alternative of a Tool without `_output`. A Message that was no output there is none here.
 */
function returnedThere({ output, message: said, appended }: JsonObject, hasOutput: boolean): unknown {
  const isBranch = said ? Array.isArray(appended) && appended.length > 1 : output !== undefined && !hasOutput
  const written = isBranch ? writtenThere(appended) : undefined
  if (written) return branch(written.path, written.value)
  if (!said) return output
  const made = message(said as Parameters<typeof message>[0])
  return output === undefined ? Object.defineProperty(made, asideMark, { value: true }) : made
}

/** Returns the error that a remote Activity threw, as far as it was written to the last alternative of its Call (OUT-6). */
function thrownThere(appended: unknown): JsonObject | undefined {
  const value = writtenThere(appended)?.value
  if (!isJsonObject(value) || typeof value.message !== 'string') return undefined
  const { name, code, message } = value
  return { name, code, message: message.slice(0, longestMessage) }
}

/** Returns what was written to an alternative of a remote Call, and its first path. */
function writtenThere(appended: unknown): { readonly path: string; readonly value: unknown } | undefined {
  const [first]: readonly unknown[] = Array.isArray(appended) ? appended : []
  if (!isJsonObject(first) || first.type !== 'data' || typeof first._path !== 'string') return undefined
  const [written] = writesOf(first as unknown as DataMessage)
  return written && { path: first._path, value: written.value }
}

/** The classes of the errors that a Call can end with there, by the names that are sent. */
const classes = new Map<unknown, typeof CallsheetError>(
  Object.entries({ CallError, OutputError, ActivityError }),
)

/**
 * Converts a remote failure to a local one, of the same class. A code that only servers have, and `aborted`, become
 * `connection_failed`, with the code in the text.
 *
 * @param ifLost Added to a failure of which nobody says what the Call did: one without a code is not of a server of Tools.
 */
export function errorOf(
  data: JsonObject,
  endpoint: string,
  ifLost: string,
  cause?: JsonObject,
): CallsheetError {
  const { name, code, message: text, detail, problems, suggestions } = data
  const said = ([text, detail].find(isText) ?? 'it failed.').slice(0, longestMessage)
  // Not aborted here: the server closed, say, and another attempt may succeed.
  const isKnown = isCodeOfCall(code) && code !== 'aborted'
  const kind = isKnown || !isText(code) ? '' : `${code.slice(0, 60)}: `
  const hint = isText(code) && code !== 'internal' ? '' : ifLost
  const Class = (isKnown && classes.get(name)) || CallsheetError
  return handOn(
    new Class(
      isKnown ? code : 'connection_failed',
      `At ${endpoint}: ${kind}${hint === '' ? said : ended(said) + hint}`,
      {
        problems: Array.isArray(problems)
          ? partsOf(problems).filter(isProblemData).map(cutProblem)
          : undefined,
        suggestions: partsOf(suggestions).filter(isText).map(cut),
        cause,
      },
    ),
  )
}

/** Returns the first entries of a remote list: a model reads them, and an answer may have a million. */
function partsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.slice(0, mostParts) : []
}

function cutProblem({ path, expected, received, message }: Problem): Problem {
  return { path: cut(path), expected: cut(expected), received: cut(received), message: cut(message) }
}

function cut(text: string): string {
  return text.slice(0, longestPart)
}

/**
 * True for the status of a response without a reason that says nothing about whether the Call ran: nothing was answered, or a proxy gave
 * up on the server: Cloudflare with 524, Heroku with 503 after 30 seconds, Envoy with 503 when the connection to the server breaks.
 *
 * @param isTimed True for a response that says when to try again: it is refused before it begins.
 */
export function mayHaveRun(status: number, isTimed: boolean): boolean {
  return status < 300 || (status >= 500 && !(status === 503 && isTimed))
}

export function failedConnection(text: string, details: ErrorDetails = {}): CallsheetError {
  return handOn(new CallsheetError('connection_failed', text, details))
}

/** True for a remote value that has all properties of a problem. */
export function isProblemData(value: unknown): value is Problem {
  return isJsonObject(value) && [value.path, value.expected, value.received, value.message].every(isText)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** True for a code with which a Call can fail. */
export function isCodeOfCall(code: unknown): code is CallsheetError['code'] {
  return codesOfCalls.has(code as string)
}

const codesOfCalls: ReadonlySet<string> = new Set<CallsheetError['code']>([
  'unknown_tool',
  'invalid_call',
  'invalid_output',
  'invalid_path',
  'invalid_message',
  'unresolved_reference',
  'unknown_instance',
  'activity_mismatch',
  'missing_activity',
  'no_implementation',
  'no_output',
  'no_model',
  'activity_failed',
  'other_branch',
  'timeout',
  'aborted',
  'refused',
  'interrupted',
  'contract_mismatch',
  'unauthorized',
  'internal',
])
