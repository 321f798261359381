import { stateBehind } from '../call/registry-state.ts'
import { ServerProblem } from './problem-response.ts'

/** The header with the servers that a forwarded Call has passed. */
export const passedHeader = 'callsheet-via'

/** Most servers that a Call may pass: more are certainly a mistake. */
const mostPassed = 32

/** For each registry, the servers that its running Calls have passed. */
const passed = new WeakMap<object, Map<string, string>>()

/**
 * Adds a server to those that a Call has passed.
 *
 * @param before The header of the request.
 * @throws ServerProblem `loop_detected` if the Call has passed this server already: it would wait for itself until its timeout.
 */
export function pass(before: string | undefined, server: string): string {
  // Without a regular expression: one takes quadratic time for white space in between.
  const servers = before === undefined || before === '' ? [] : before.split(',').map((each) => each.trim())
  if (!servers.includes(server) && servers.length < mostPassed) return [...servers, server].join()
  throw new ServerProblem(
    'loop_detected',
    'This Call has come to a server that it has passed already: one whose Activity is `remoteActivities` of its own address, or two that send it to each other. Register what does the work where it is to be done.',
  )
}

/** Runs a Call of a registry, and remembers meanwhile which servers it has passed. */
export async function runPassed<Result>(
  tools: object,
  id: string,
  servers: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const state = stateBehind(tools) ?? tools
  const known = passed.get(state) ?? new Map<string, string>()
  passed.set(state, known.set(id, servers))
  try {
    return await run()
  } finally {
    known.delete(id)
  }
}

/** Returns the servers that a running Call has passed; undefined if it started here. */
export function passedBy(tools: object, id: string): string | undefined {
  return passed.get(stateBehind(tools) ?? tools)?.get(id)
}
