import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { Tool } from './tools.js'

console.log(`${Tool.names.length} Tools`)
for (const question of ['call off the delivery', 'wich newsletters are there?']) {
  const found = await Tool.find(question, { limit: 3 })
  console.log(`${question} -> ${found.map(({ name }) => name).join(', ')}`)
}

const task = 'Parcel 17 is lost. Cancel it, and send the customer 4 a voucher.'

async function solve(search: boolean): Promise<void> {
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
  const sent = client.requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0)
  console.log(
    `\n${search ? 'With search' : 'All at once'}: ${client.requests.length} requests, ${sent} characters`,
  )
  for (const { tool, output } of outcomes) console.log(`${tool}: ${JSON.stringify(output)}`)
  console.log(output)
}

await solve(true)
await solve(false)
