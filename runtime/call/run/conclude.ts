import { type Branch, isBranch } from '../../context/branch.ts'
import { dataOf, isDataMessage, type Message } from '../../context/message.ts'
import { asideMark, isMarked, isMarkedMessage } from '../../context/message-mark.ts'
import {
  alternativeNamed,
  instanceOf,
  takenBranch,
  writeAlternative,
  writeOutput,
} from '../../context/output-path.ts'
import { formatPath } from '../../context/reference.ts'
import { requireMessage } from '../../context/well-formed-message.ts'
import type { OutputError } from '../../errors.ts'
import { copyJson, maximumValueDepth } from '../../json/json-copy.ts'
import { pointerOf } from '../../json/json-pointer.ts'
import { findNotJson, isJson } from '../../json/not-json.ts'
import { problem } from '../../problems/problem.ts'
import type { PreparedCall } from '../accept/accepted-call.ts'
import type { OutputPolicy } from '../delegated-options.ts'
import type { RunOptions } from '../run-options.ts'
import { invalidOutput, outputError } from './run-errors.ts'

/** What a finished implementation returned, checked and as Messages. */
export interface Conclusion {
  /** Absent if the Tool declares no output, or a Message took another branch (OUT-7). */
  output?: unknown
  message?: Message
  appended: readonly Message[]
  /** Why the output is not allowed (ACT-7). */
  invalid?: OutputError
}

const nothing: readonly Message[] = Object.freeze([])

/**
 * Reads what an implementation returned: an output, which is written to `_outputPath`, or the result of `message()` or
 * `branch()` (ACT-6). A model returns outputs only.
 *
 * @throws OutputError `invalid_output` for an output that `_output` does not allow, unless `onInvalidOutput` lets it
 * pass (ACT-7); and, whatever that option is, for a malformed Message and for anything that is not JSON.
 */
export function conclude(prepared: PreparedCall, returned: unknown, options: RunOptions): Conclusion {
  const { path, checks } = prepared
  // The fast path, for most Calls: a valid output that only the caller receives.
  if (!path && checks.output?.(returned) && !isMarked(returned) && isJson(returned)) {
    return { output: returned, appended: nothing }
  }
  const conclusion = conclusionOf(prepared, returned)
  if (conclusion.invalid && outputPolicy(prepared, options) === 'error') throw conclusion.invalid
  return conclusion
}

function conclusionOf(prepared: PreparedCall, returned: unknown): Conclusion {
  if (prepared.implementation.mode === 'explicit') {
    if (isMarkedMessage(returned)) return concludeMessage(prepared, returned)
    if (isBranch(returned)) return concludeBranch(prepared, returned)
  }
  if (prepared.checks.output === undefined) return concludeVoid(prepared)
  requireJson(prepared, returned)
  return withOutput(prepared, returned, { appended: outputMessages(prepared, returned) })
}

/** Adds an output to a conclusion, and the error if it is not allowed. */
function withOutput(prepared: PreparedCall, output: unknown, conclusion: Conclusion): Conclusion {
  const { output: check } = prepared.checks
  conclusion.output = output
  if (check && !check(output)) conclusion.invalid = invalidOutput(prepared, check, output)
  return conclusion
}

function outputPolicy(prepared: PreparedCall, { onInvalidOutput = 'error' }: RunOptions): OutputPolicy {
  if (typeof onInvalidOutput === 'string') return onInvalidOutput
  const { name } = prepared.entry.facts
  return Object.hasOwn(onInvalidOutput, name) ? (onInvalidOutput[name] as OutputPolicy) : 'error'
}

/**
 * Requires plain JSON: what is written must be the same after the context was stored, sent to a model and read again.
 */
function requireJson(prepared: PreparedCall, given: unknown): void {
  if (isJson(given)) return
  const found = findNotJson(given)
  if (!found) return
  const pointer = pointerOf(found.path)
  const expected = found.isTooDeep
    ? `at most ${maximumValueDepth} levels, and no value that contains itself`
    : 'plain JSON, which is all that a context holds'
  throw outputError(prepared, [problem(pointer, expected, found.value)])
}

/**
 * Concludes a Tool without `_output`. The result is dropped on purpose; null is written, so that Calls that wait can
 * run.
 */
function concludeVoid(prepared: PreparedCall): Conclusion {
  return { appended: outputMessages(prepared, undefined) }
}

/** Creates the Messages that write an output to the Call's `_outputPath`. */
function outputMessages({ path, call }: PreparedCall, output: unknown): Message[] {
  return path ? writeOutput(call, path, output, new Date().toISOString()) : []
}

/**
 * Writes to the alternative that `branch()` names. Only the first alternative holds an output of the Tool, which is
 * checked.
 */
function concludeBranch(prepared: PreparedCall, { branch, data }: Branch): Conclusion {
  const { path, call } = prepared
  requireJson(prepared, data)
  if (!path) {
    const message: Message = {
      type: 'data',
      kind: 'result',
      data: { [branch]: copyJson(data) },
      ...instanceOf(call),
    }
    return { message, appended: [message] }
  }
  const alternative = alternativeNamed(path, branch)
  if (alternative < 0) throw noSuchBranch(prepared, branch)
  const appended = writeAlternative(call, path, alternative, data, new Date().toISOString())
  if (alternative > 0) return { ...(appended[0] && { message: appended[0] }), appended }
  return withOutput(prepared, data, { appended })
}

function noSuchBranch(prepared: PreparedCall, branch: string): OutputError {
  const names = (prepared.path?.alternatives ?? []).map((paths) => paths.map(formatPath).join(' && '))
  return outputError(prepared, [
    problem('', `branch() with the last name of an alternative of ${names.join(' || ')}`, branch),
  ])
}

/** Concludes with a copy of the Message, so that later changes by the Activity do not reach the Outcome. */
function concludeMessage(prepared: PreparedCall, returned: Message): Conclusion {
  // Checked before the copy is made: the copy of a Date would be a plain object.
  requireJson(prepared, returned)
  const message = copyJson(returned)
  requireMessage(message, 'What the Activity returned')
  const conclusion: Conclusion = { message, appended: [message] }
  const { resolved, path, checks } = prepared
  if (message._instance !== undefined && message._instance !== resolved._instance) {
    throw otherInstance(prepared, message)
  }
  if (!path) {
    if (Object.hasOwn(returned, asideMark)) return conclusion
    // Without a path, the Message's data is the output if `_output` allows it (ACT-7).
    const data = dataIn(message)
    if (!checks.output || checks.output(data)) conclusion.output = data
    return conclusion
  }
  const taken = takenBranch(path, message)
  return taken?.alternative === 0 ? withOutput(prepared, taken.value, conclusion) : conclusion
}

function dataIn(message: Message): unknown {
  return isDataMessage(message) ? dataOf(message) : undefined
}

function otherInstance(prepared: PreparedCall, message: Message): OutputError {
  const own = prepared.resolved._instance
  const expected =
    own === undefined ? 'no _instance, as in the Call' : `${JSON.stringify(own)}, as in the Call`
  return outputError(prepared, [problem('/_instance', expected, message._instance)])
}
