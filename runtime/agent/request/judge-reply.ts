import { asInternalError } from '../../call/call-errors.ts'
import { isJsonObject } from '../../json/json.ts'
import { answerTooLong } from '../transport/limited-fetch.ts'
import type { Reply } from '../transport/reply.ts'
import { RequestError } from '../transport/request-error.ts'
import { requestFailure } from '../transport/request-failure.ts'

/**
 * Reads a complete reply as an answer.
 *
 * @throws RequestError `model_refused`, `answer_truncated`, `limit_reached` or `answer_invalid`, each with the tokens of the reply.
 */
export function judgeReply<Answer>(reply: Reply, read: (reply: Reply) => Answer, maxAnswer: number): Answer {
  const { text, usage, refusal } = reply
  if (refusal !== undefined) {
    throw new RequestError('model_refused', `The model refused: ${refusal}`, { text: refusal, usage })
  }
  if (reply.isTruncated) {
    const message = 'The answer was cut off at the limit of tokens. Allow more, or offer fewer Tools at once.'
    throw new RequestError('answer_truncated', message, { text, usage })
  }
  if (text.length + argumentsLength(reply.said) > maxAnswer) throw answerTooLong(maxAnswer).with({ usage })
  try {
    return read(reply)
  } catch (thrown) {
    throw unreadable(thrown).with({ usage })
  }
}

/** Counts the characters of the tool calls' arguments in a turn. */
function argumentsLength({ tool_calls, output, content }: Reply['said']): number {
  const items = [tool_calls, output, content].flatMap((list) => (Array.isArray(list) ? list : []))
  return items.filter(isJsonObject).reduce((length, item) => {
    const called = isJsonObject(item.function) ? item.function : item
    const given = called.arguments ?? (item.type === 'tool_use' ? item.input : undefined)
    return length + (typeof given === 'string' ? given : (JSON.stringify(given) ?? '')).length
  }, 0)
}

/**
 * Reports an exception as an invalid answer, not as a connection failure: tool arguments may be nested too deep to be read. Any
 * other is a defect of ours (CALL-12).
 */
function unreadable(thrown: unknown): RequestError {
  if (!(thrown instanceof RangeError)) return requestFailure(asInternalError(thrown, 'read the answer'))
  return new RequestError('answer_invalid', `The model's answer cannot be read: ${thrown.message}`, {
    cause: thrown,
  })
}
