import type { ErrorData } from '../errors.ts'

/**
 * Adds to an error where a Call with an instance can run. For Calls without a context: by the name of a Tool, over MCP,
 * by a command.
 */
export function withoutInstances(error: ErrorData): ErrorData {
  const { code, message, problems = [] } = error
  const isMissing = problems.some(({ path, received }) => path === '/_instance' && received === 'nothing')
  if (code !== 'unknown_instance' && !isMissing) return error
  return {
    ...error,
    message: `${message} There is no context here, and so no instances: a server takes both at POST /calls.`,
  }
}
