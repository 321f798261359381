import type { Message } from '../context/message.ts'
import { isMarked } from '../context/message-mark.ts'
import { isJson } from '../json/not-json.ts'
import type { Conclusion } from './conclusion.ts'
import { loadDataPlane } from './load-data-plane.ts'
import type { PreparedCall } from './prepared-call.ts'
import type { RunOptions } from './run-options.ts'

const nothing: readonly Message[] = Object.freeze([])

/**
 * Reads what an implementation gave back (ACT-6). The plain case answers at once: an allowed output that goes nowhere
 * but to the caller. Everything else is for the data plane.
 *
 * @throws OutputError `invalid_output` for an output that is not allowed, unless the policy lets it pass; for a Message
 * that may not be written at all, whatever the policy is.
 */
export function conclude(
  prepared: PreparedCall,
  returned: unknown,
  options: RunOptions,
): Conclusion | Promise<Conclusion> {
  const { path, checks, implementation } = prepared
  if (path || (implementation.mode === 'explicit' && isMarked(returned)))
    return inContext(prepared, returned, options)
  if (checks.output) {
    return checks.output(returned) && isJson(returned)
      ? { output: returned, appended: nothing }
      : inContext(prepared, returned, options)
  }
  return returned === undefined ? { appended: nothing } : inContext(prepared, returned, options)
}

async function inContext(
  prepared: PreparedCall,
  returned: unknown,
  options: RunOptions,
): Promise<Conclusion> {
  const { concludeInContext } = await loadDataPlane()
  return concludeInContext(prepared, returned, options)
}
