import type { Call } from 'callsheet'
import { Agent } from 'callsheet/agent'
import { type ScriptedTurn, scriptedModel } from 'callsheet/testing'
import { Tool } from './desk.js'

/** A colleague has to sign larger refunds. Nobody is at the desk here, so they are refused, and the model reads why. */
function confirm(call: Call): true | { refuse: string } {
  if (call._tool !== 'refund' || Number(call.amount) <= 100) return true
  return { refuse: 'a colleague has to sign refunds above 100 €; tell the customer that it takes a day' }
}

async function answer(runId: string, message: string, script: readonly ScriptedTurn[]): Promise<void> {
  console.log(`\n> ${message}`)
  const { output, outcomes } = await Agent<string>({
    runId,
    model: 'scripted',
    client: scriptedModel(script),
    tools: Tool,
    context: [{ type: 'text', text: message }],
    output: { type: 'string' },
    confirm,
    maxTurns: 6,
  })
  for (const outcome of outcomes) {
    console.log(`${outcome.status} ${outcome.tool}:`, outcome.output ?? outcome.error?.message)
  }
  console.log(output)
}

const judged = { topic: 'refund', urgent: false }
const look = (number: number) => ({ _tool: 'findOrder', number, _outputPath: '†state.order' })
// The order number and the amount come from the order, not from the model's memory.
const pay = {
  _tool: 'refund',
  order: '†state.order.number',
  amount: '†state.order.total',
  _outputPath: '†state.paid',
}

const first = 'My order 4711 came broken. I want my money back. Ada'
await answer('first', first, [
  { calls: [{ _tool: 'triage', message: first, _output: judged }, look(4711), pay] },
  { calls: [{ _tool: 'reply', to: '†state.order.customer', text: 'Your 30 € are on their way.' }] },
  { output: 'Refunded.' },
])

const second = 'The same with 4712. Bob'
await answer('second', second, [
  { calls: [{ _tool: 'triage', message: second, _output: judged }, look(4712), pay] },
  { calls: [{ _tool: 'reply', to: '†state.order.customer', text: 'A colleague looks at it within a day.' }] },
  { output: 'Waits for a colleague.' },
])
