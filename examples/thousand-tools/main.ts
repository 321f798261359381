import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { Tool } from './tools.js'

console.log(`${Tool.names.length} Tools`)
for (const question of ['call off the delivery of a parcel', 'put a label on the invoice']) {
  const found = await Tool.find(question, { limit: 3 })
  console.log(`${question} -> ${found.map(({ name }) => name).join(', ')}`)
}

const task = 'Parcel 17 is lost. Cancel it, and send the customer 4 a voucher.'

/** Solves the task, and returns how many characters were sent. */
async function solve(search: boolean): Promise<number> {
  const client = scriptedModel([
    ...(search ? [{ calls: [{ _tool: 'Tools.find', query: 'cancel a parcel; send a voucher' }] }] : []),
    {
      calls: [
        { _tool: 'cancelParcel', id: 17 },
        { _tool: 'sendVoucher', id: 4 },
      ],
    },
    { output: 'Cancelled, and the voucher is sent.' },
  ])
  const { output, outcomes } = await Agent<string>({
    model: 'scripted',
    client,
    tools: Tool,
    context: [{ type: 'text', text: task }],
    output: { type: 'string' },
    dialect: 'openai',
    ...(search ? { search: { limit: 5 } } : {}),
  })
  console.log(`\n${search ? 'With search' : 'All at once'}: ${client.requests.length} requests`)
  for (const { tool, output } of outcomes) console.log(`${tool}: ${JSON.stringify(output)}`)
  console.log(output)
  return client.requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0)
}

const few = await solve(true)
const all = await solve(false)
console.log(`\nWith search, ${Math.round((100 * few) / all)} % of the characters were sent.`)
