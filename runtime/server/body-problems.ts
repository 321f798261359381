import type { ServerLimits } from './limits.ts'
import { ServerProblem } from './problem-response.ts'

export function tooLarge({ bodyBytes }: Pick<ServerLimits, 'bodyBytes'>): ServerProblem {
  return new ServerProblem('too_large', `The body is larger than ${bodyBytes} bytes.`)
}

export function lateBody({ bodyTime }: Pick<ServerLimits, 'bodyTime'>): ServerProblem {
  return new ServerProblem('bad_request', `The body did not arrive within ${bodyTime} ms.`)
}

/** Builds the problem for a body that could not be read. */
export function brokenOff(error: unknown): ServerProblem {
  if (error instanceof ServerProblem) return error
  return new ServerProblem('bad_request', 'The body broke off, or is not UTF-8.')
}
