import type { OpenAIClient } from 'callsheet/agent'
import type { RestateAgent } from 'callsheet/restate'
import { scriptedModel } from 'callsheet/testing'

/** Pays what it is told to. Each payment has to be approved. */
export const payer: RestateAgent = ({ task }: { task: string }) => ({
  // With a key in OPENAI_API_KEY: `model: 'gpt-5-mini'`, and no client.
  model: 'scripted',
  client: scripted,
  context: [{ type: 'text', text: task }],
  output: { type: 'string' },
  confirm: { effects: ['write'], ask: () => 'pending', expiresIn: 24 * 60 * 60 * 1000 },
  onApprovals: (approvals) => console.log('Waits for approval:', ...approvals.map(({ id }) => id)),
})

/** A model goes by what it reads, in whatever process it is asked. */
const scripted: OpenAIClient = {
  chat: {
    completions: {
      create(body: never) {
        const hasPaid = JSON.stringify(body).includes('paid 300 to rent')
        const calls = [
          { _tool: 'balance', account: 'ours', _outputPath: '†state.balance' },
          { _tool: 'pay', to: 'rent', amount: '†state.balance' },
        ]
        const turn = hasPaid ? { output: 'The rent is paid.' } : { calls }
        return scriptedModel([turn]).chat.completions.create(body)
      },
    },
  },
}
