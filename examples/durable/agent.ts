import type { OpenAIClient } from 'callsheet/agent'
import type { RestateAgent } from 'callsheet/restate'
import { scriptedModel } from 'callsheet/testing'

/** An agent that makes payments. Each payment needs approval. */
export const payer: RestateAgent = ({ task }: { task: string }) => ({
  // With a key in OPENAI_API_KEY: `model: 'gpt-5-mini'`, and no client.
  model: 'scripted',
  client: scripted,
  context: [{ type: 'text', text: task }],
  output: { type: 'string' },
  confirm: { effects: ['write'], ask: () => 'pending', expiresIn: 24 * 60 * 60 * 1000 },
  onApprovals: (approvals) => console.log('Waits for approval:', ...approvals.map(({ id }) => id)),
})

/** The scripted model decides by what it reads, so it works in any process. */
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
