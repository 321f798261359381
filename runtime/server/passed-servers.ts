import { stateBehind } from '../call/registry-state.ts'
import { ServerProblem } from './problem-response.ts'

/** The header in which a Call that is handed on says by which servers it came. */
export const passedHeader = 'callsheet-via'

/** More of them are no way that anybody has planned. */
const mostPassed = 32

/** By registry, the servers by which each Call came that it runs for a server. */
const passed = new WeakMap<object, Map<string, string>>()

/**
 * Adds a server to those that a Call has passed.
 *
 * @param before What the request says of the way to here.
 * @throws ServerProblem `loop_detected` where the Call has been here already: it would wait for itself until its time is over.
 */
export function pass(before: string | undefined, server: string): string {
  const servers = before === undefined || before === '' ? [] : before.split(',')
  if (!servers.includes(server) && servers.length < mostPassed) return [...servers, server].join()
  throw new ServerProblem(
    'loop_detected',
    'This Call has come to a server that it has passed already: one whose Activity is `remoteActivities` of its own address, or two that send it to each other. Register what does the work where it is to be done.',
  )
}

/** Runs a Call of a registry, and remembers meanwhile by which servers it came. */
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

/** By which servers a Call of a registry came; undefined for one that begins here. */
export function passedBy(tools: object, id: string): string | undefined {
  return passed.get(stateBehind(tools) ?? tools)?.get(id)
}
