import type { Call } from '../context/message.ts'
import type { Principal } from './gate.ts'
import { ServerProblem } from './problem-response.ts'
import { type ServableTool, servedTools } from './served-tools.ts'

/** The header in which a caller says which contract it knows: `name=hash`, separated by commas. */
export const contractHeader = 'callsheet-contract'

/** Contracts by the name of their Tool. */
export type KnownContracts = Readonly<Record<string, readonly string[]>>

/**
 * Refuses Calls of a caller whose contract of a Tool is another one than ours, before anything runs (SERVE-4).
 *
 * @param earlier Contracts that are served as well.
 * @throws ServerProblem `contract_mismatch`, with each Tool that differs.
 */
export async function requireContract(
  header: string,
  tools: ServableTool,
  principal: Principal | undefined,
  calls: readonly Call[],
  earlier: KnownContracts = {},
): Promise<void> {
  const called = new Set<unknown>(calls.map(({ _tool }) => _tool))
  const known = header.split(',').map((entry) => entry.trim().split('='))
  // A Tool that does not exist for the caller has no contract that it could learn.
  const offered = await servedTools(tools, principal, (name) => called.has(name))
  const contracts = new Map(offered.map(({ name, contract }) => [name, contract]))
  const problems = []
  for (const [name = '', hash = ''] of known) {
    const contract = contracts.get(name)
    const isKnown = contract === hash || (Object.hasOwn(earlier, name) && earlier[name]?.includes(hash))
    if (contract === undefined || isKnown) continue
    problems.push({
      path: `/${name}`,
      expected: `contract ${contract}`,
      received: hash.slice(0, 40),
      message: `${name}: the caller knows contract ${hash.slice(0, 40)}, this server has ${contract}`,
    })
  }
  if (problems.length === 0) return
  const names = problems.map(({ path }) => path.slice(1)).join(', ')
  throw new ServerProblem(
    'contract_mismatch',
    `The caller was generated from another contract of ${names}. Deploy both sides from one, or see what differs: callsheet diff.`,
    { problems },
  )
}
