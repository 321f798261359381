import type { ErrorData } from '../errors.ts'

/** Adds where to send a Call that lacks its instance: requests for one Tool by its name have no context, and so no instances. */
export function withoutInstances(error: ErrorData): ErrorData {
  const { code, message, problems = [] } = error
  const isMissing = problems.some(({ path, received }) => path === '/_instance' && received === 'nothing')
  if (code !== 'unknown_instance' && !isMissing) return error
  return {
    ...error,
    message: `${message} This request has no context, and so no instances: send the Call with its context to POST /calls.`,
  }
}
