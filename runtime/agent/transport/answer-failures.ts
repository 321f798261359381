import { isJsonObject, own } from '../../json/json.ts'
import { briefly } from '../../problems/problem.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { RequestError } from './request-error.ts'
import { briefText, httpFailure, unreadAnswer } from './request-failure.ts'

/** Replaces the model's text if a provider's content filter removed it. */
export const filtered = 'A content filter stopped the answer.'

/** Builds the error of an answer that reports a server failure itself, within a stream or instead of an answer. */
export function serverGaveUp(error: unknown, usage: TokenUsage): RequestError {
  const unread = unreadAnswer(error, error)
  if (unread) return unread.with({ usage })
  const { code, type, message } = isJsonObject(error) ? error : {}
  const said = briefText(typeof message === 'string' ? message : briefly(error))
  // OpenRouter, among others, puts into the body the status that it did not send.
  if (typeof code === 'number' && code >= 400) {
    return httpFailure(code, undefined, said, error).with({ usage })
  }
  const isLimited = code === 'rate_limit_exceeded' || type === 'rate_limit_error'
  return new RequestError(
    isLimited ? 'rate_limited' : 'server_error',
    `The server gave up on the answer: ${said}`,
    { usage },
  )
}

/** Builds the error of a stream that ended before its answer was complete. */
export function streamBrokeOff(usage?: TokenUsage): RequestError {
  return new RequestError('connection_failed', 'The stream ended before the model had finished.', {
    ...(usage && { usage }),
  })
}

/** Builds the error of a body that is not an answer, with the server's own reason if it contains one. */
export function noAnswer(what: string, said: unknown): RequestError {
  const error = isJsonObject(said) ? own(said, 'error') : undefined
  if (isJsonObject(error)) return serverGaveUp(error, noUsage)
  if (typeof said === 'string' && /^\s*</.test(said)) {
    const page = `a page for people: ${briefly(said)}. Look at baseURL, and at what stands before the server`
    return new RequestError('answer_invalid', `The server sent no ${what}, but ${page}.`)
  }
  return new RequestError('answer_invalid', `The server sent no ${what}: ${briefly(said)}.`)
}
