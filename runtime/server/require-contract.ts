import type { Call, Message } from '../context/message.ts'
import { declaresMore } from '../schema/effects.ts'
import type { Principal } from './gate.ts'
import { ServerProblem } from './problem-response.ts'
import { describe, type ServableTool } from './served-tools.ts'

/** The header with the caller's contract: `name=hash=effects`, separated by commas. Earlier versions send and read no effects. */
export const contractHeader = 'callsheet-contract'

/** Contract hashes by Tool name. */
export type KnownContracts = Readonly<Record<string, readonly string[]>>

/**
 * Refuses the Calls of a caller with a different contract of a Tool, or who knows of fewer effects, before anything runs (SERVE-4).
 *
 * @param context The context of the Calls, which may decide which Tools are enabled.
 * @param earlier Earlier contracts that are served too.
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
  // A client whose own headers repeat ours sends the same entry twice.
  for (const entry of new Set(header.split(',').map((each) => each.trim()))) {
    const [name = '', hash = '', known = ''] = entry.split('=')
    const schema = called.has(name) ? tools.get(name) : undefined
    if (!schema) continue
    if (declaresMore(schema, known)) {
      const { effects = 'write' } = schema
      problems.push({
        path: `/${name}`,
        expected: `effects ${effects}`,
        received: known,
        message: `${name}: the caller takes its effects for ${known}, this server declares ${effects}`,
      })
      continue
    }
    if (Object.hasOwn(earlier, name) && earlier[name]?.includes(hash)) continue
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
  // Do not reveal the contract of a Tool that does not exist for the caller.
  const offered = new Set(tools.composable(context, principal).map(({ name }) => `/${name}`))
  const told = problems.filter(({ path }) => offered.has(path))
  if (told.length === 0) return
  const names = [...new Set(told.map(({ path }) => path.slice(1)))].join(', ')
  throw new ServerProblem(
    'contract_mismatch',
    `The caller was generated from another contract of ${names}. Deploy both sides from one, or see what differs: callsheet diff.`,
    { problems: told },
  )
}
