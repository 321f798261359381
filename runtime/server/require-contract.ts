import type { Call, Message } from '../context/message.ts'
import { CallsheetError } from '../errors.ts'
import { nearest } from '../problems/nearest.ts'
import { briefly } from '../problems/problem.ts'
import { suggest } from '../problems/suggest.ts'
import type { Principal } from './gate.ts'
import { ServerProblem } from './problem-response.ts'
import { describe, type ServableTool } from './served-tools.ts'

/** The header in which a caller says which contract it knows: `name=hash`, separated by commas. */
export const contractHeader = 'callsheet-contract'

/** Contracts by the name of their Tool. */
export type KnownContracts = Readonly<Record<string, readonly string[]>>

/**
 * Refuses Calls of a caller whose contract of a Tool is another one than ours, before anything runs (SERVE-4).
 *
 * @param context What the Calls run in: it may decide which Tools there are.
 * @param earlier Contracts that are served as well.
 * @throws ServerProblem `contract_mismatch`, with each Tool that differs.
 */
export async function requireContract(
  header: string,
  tools: ServableTool,
  principal: Principal | undefined,
  { calls, context }: { readonly calls: readonly Call[]; readonly context: readonly Message[] },
  earlier: KnownContracts = {},
): Promise<void> {
  const called = new Set<unknown>(calls.map(({ _tool }) => _tool))
  const problems = []
  for (const entry of header.split(',')) {
    const [name = '', hash = ''] = entry.trim().split('=')
    const schema = called.has(name) ? tools.get(name) : undefined
    if (!schema || (Object.hasOwn(earlier, name) && earlier[name]?.includes(hash))) continue
    const { contract } = await describe(name, schema)
    if (contract === hash) continue
    problems.push({
      path: `/${name}`,
      expected: `contract ${contract}`,
      received: hash.slice(0, 40),
      message: `${name}: the caller knows contract ${hash.slice(0, 40)}, this server has ${contract}`,
    })
  }
  if (problems.length === 0) return
  // A Tool that does not exist for the caller has no contract that it could learn.
  const offered = new Set(tools.composable(context, principal).map(({ name }) => `/${name}`))
  const told = problems.filter(({ path }) => offered.has(path))
  if (told.length === 0) return
  const names = told.map(({ path }) => path.slice(1)).join(', ')
  throw new ServerProblem(
    'contract_mismatch',
    `The caller was generated from another contract of ${names}. Deploy both sides from one, or see what differs: callsheet diff.`,
    { problems: told },
  )
}

/**
 * Refuses contracts of a misspelt Tool. One that no Tool is near may be of a Tool that is gone.
 *
 * @throws CallsheetError `invalid_options`.
 */
export function requireServedNames(names: readonly string[] = [], contracts: KnownContracts = {}): void {
  for (const name of Object.keys(contracts)) {
    const near = names.includes(name) ? [] : nearest(name, names)
    if (near.length === 0) continue
    throw new CallsheetError(
      'invalid_options',
      `\`contracts\` are for a Tool ${briefly(name)}, which is not served.${suggest(near)}`,
    )
  }
}
