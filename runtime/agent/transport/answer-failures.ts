import { isJsonObject, own } from '../../json/json.ts'
import { briefly } from '../../problems/problem.ts'
import { noUsage, type TokenUsage } from '../../tools/token-usage.ts'
import { RequestError } from './request-error.ts'
import { httpFailure } from './request-failure.ts'

/** What stands for the model's own words where a provider's filter took them. */
export const filtered = 'A content filter stopped the answer.'

/** Makes the error of an answer that tells itself that the server failed, in the middle of a stream or in place of all of it. */
export function serverGaveUp(error: unknown, usage: TokenUsage): RequestError {
  const { code, type, message } = isJsonObject(error) ? error : {}
  // OpenRouter, among others, says the status that it did not send.
  if (typeof code === 'number' && code >= 400) {
    return httpFailure(code, undefined, typeof message === 'string' ? message : briefly(error), error).with({
      usage,
    })
  }
  const isLimited = code === 'rate_limit_exceeded' || type === 'rate_limit_error'
  return new RequestError(
    isLimited ? 'rate_limited' : 'server_error',
    `The server gave up on the answer: ${typeof message === 'string' ? message : briefly(error)}`,
    { usage },
  )
}

/** Makes the error of a stream that ended before its answer did. */
export function streamBrokeOff(usage?: TokenUsage): RequestError {
  return new RequestError('connection_failed', 'The stream ended before the model had finished.', {
    ...(usage && { usage }),
  })
}

/** Makes the error of what is no answer: where the server says in its place why not, that. */
export function noAnswer(what: string, said: unknown): RequestError {
  const error = isJsonObject(said) ? own(said, 'error') : undefined
  if (isJsonObject(error)) return serverGaveUp(error, noUsage)
  if (typeof said === 'string' && /^\s*</.test(said)) {
    const page = `a page for people: ${briefly(said)}. Look at baseURL, and at what stands before the server`
    return new RequestError('answer_invalid', `The server sent no ${what}, but ${page}.`)
  }
  return new RequestError('answer_invalid', `The server sent no ${what}: ${briefly(said)}.`)
}
