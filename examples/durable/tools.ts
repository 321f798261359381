import { appendFile } from 'node:fs/promises'
import { createRegistry } from 'callsheet'

export const { Tool, Activity } = createRegistry({
  tools: {
    balance: {
      type: 'object',
      description: 'What an account holds, in euros.',
      // A read: the engine repeats it if it fails.
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
  },
})

Activity.register('balance', () => 300)
Activity.register('pay', async ({ to, amount }, _tool, _context, run) => {
  // Pass `run.id` to a bank as the idempotency key: it stays the same if this worker fails and another continues.
  await appendFile(process.env.LEDGER ?? 'ledger.txt', `${run.id} ${to} ${amount}\n`)
  return `paid ${amount} to ${to}`
})
