import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { createRegistry } from 'callsheet'
import { Agent, type Decision, LoopError, type SuspendedRun } from 'callsheet/agent'
import { type ScriptedTurn, scriptedModel } from 'callsheet/testing'

const tools = {
  balance: {
    type: 'object',
    description: 'What an account holds, in euros.',
    effects: 'read',
    properties: {
      _tool: { const: 'balance' },
      account: { type: 'string' },
      _outputPath: { type: 'string' },
      _output: { type: 'number' },
    },
    required: ['_tool', 'account'],
    additionalProperties: false,
  },
  pay: {
    type: 'object',
    description: 'Pays an amount.',
    effects: 'write',
    properties: {
      _tool: { const: 'pay' },
      to: { type: 'string' },
      amount: { type: 'number', exclusiveMinimum: 0, maximum: 1000 },
      _output: { type: 'string' },
    },
    required: ['_tool', 'to', 'amount'],
    additionalProperties: false,
  },
} as const

/** Starts or continues an agent that pays. Every payment needs approval and is written to the ledger. */
export async function runPayments(
  ledger: string,
  resume?: SuspendedRun,
  decisions: readonly Decision[] = [],
): Promise<{ output: string } | { suspended: SuspendedRun }> {
  const { Tool, Activity } = createRegistry({ tools })
  Activity.register('balance', () => 300)
  Activity.register('pay', async ({ to, amount }, _tool, _context, run) => {
    // Like a bank with an idempotency key: a repeated request is not paid again.
    const paid = existsSync(ledger) ? await readFile(ledger, 'utf8') : ''
    if (!paid.split('\n').some((line) => line.startsWith(`${run.id} `)))
      await appendFile(ledger, `${run.id} ${to} ${amount}\n`)
    return `paid ${amount} to ${to}`
  })
  const turns: ScriptedTurn[] = [
    {
      calls: [
        { _tool: 'balance', account: 'ours', _outputPath: '†state.balance' },
        // Waits for the balance, and then for approval.
        { _tool: 'pay', to: 'rent', amount: '†state.balance' },
      ],
    },
    ({ body }) => ({
      output: JSON.stringify(body).includes('paid 300 to rent')
        ? 'The rent is paid.'
        : 'The rent is not paid.',
    }),
  ]
  try {
    const { output } = await Agent<string>({
      model: 'scripted',
      // A run that is resumed after the first turn only needs the second answer.
      client: scriptedModel(turns.slice(resume?.turn ?? 0)),
      tools: Tool,
      context: resume ? undefined : [{ type: 'text', text: 'Pay the rent with all that we have.' }],
      output: { type: 'string' },
      confirm: { effects: ['write'], ask: () => 'pending', expiresIn: 24 * 60 * 60 * 1000 },
      resume,
      decisions,
    })
    return { output: output ?? '' }
  } catch (error) {
    if (error instanceof LoopError && error.result.suspended) return { suspended: error.result.suspended }
    throw error
  }
}
