// What an agent with `search` sends, beside one that is offered every Tool:
//
//   node bench/agent-search.mjs [HOW_MANY_TOOLS]
//
// Scripted: two searches, two Calls of what they found, the answer. Tokens are those of the bodies of requests, by the encoding
// o200k; no model is asked. Needs dist/ (npm run build).
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { Agent } from '../dist/agent.js'
import { createRegistry } from '../dist/index.js'
import { scriptedModel } from '../dist/testing.js'

const count = Number(process.argv[2] ?? 1000)
const output = { type: 'string' }
const find = (query) => ({ _tool: 'Tools.find', query })
const searching = [
  { calls: [find('approve the refund of an order')] },
  { calls: [{ _tool: 'refund.approve', id: '7' }, find('schedule a ride by train')] },
  { calls: [{ _tool: 'train.schedule', id: '7' }] },
  { output: 'done' },
]
const knowing = [
  { calls: [{ _tool: 'refund.approve', id: '7' }] },
  { calls: [{ _tool: 'train.schedule', id: '7' }] },
  { output: 'done' },
]

console.log(`${count} Tools: turns, tokens of all requests, tokens of the largest`)
for (const api of ['chat', 'responses', 'messages']) {
  for (const mode of ['composed', 'native']) {
    const all = await tokensOf(knowing, { api, mode })
    const few = await tokensOf(searching, { api, mode, search: {} })
    const share = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`
    console.log(
      `${api}, ${mode}: all offered ${all.turns}, ${all.sum}, ${all.largest}; search ${few.turns}, ${few.sum}, ${few.largest}`,
      `(${share(few.sum, all.sum)} of the run, ${share(few.largest, all.largest)} of a request)`,
    )
  }
}

async function tokensOf(turns, options) {
  const model = scriptedModel(turns)
  const result = await Agent({ model: 'm', client: model, tools: registry(), output, ...options })
  if (result.output !== 'done') throw new Error('The script was not finished.')
  const tokens = model.requests.map(({ body }) => encode(JSON.stringify(body)).length)
  return {
    turns: tokens.length,
    sum: tokens.reduce((sum, each) => sum + each, 0),
    largest: Math.max(...tokens),
  }
}

/** As many Tools as asked for, of every pair of an action and a thing; what the script wants comes first. */
function registry() {
  const actions = words(
    'approve schedule create read update delete list archive restore share rename copy move merge',
  )
  const things = words(
    'refund train invoice contract ticket customer order shipment payment meeting calendar message',
  )
  const names = Array.from({ length: count }, (_, index) => {
    const thing = things[index % things.length]
    const round = Math.floor(index / things.length)
    const more = Math.floor(round / actions.length)
    return `${thing}${more === 0 ? '' : more}.${actions[round % actions.length]}`
  })
  const { Tool, Activity } = createRegistry()
  for (const name of names) {
    Tool.register(name, schemaOf(name))
    Activity.register(name, () => `${name} done`)
  }
  return Tool
}

function schemaOf(name) {
  const [thing, action] = name.split('.')
  return {
    type: 'object',
    description: `Lets you ${action} one ${thing} of the company, with a note of who asked for it and why.`,
    properties: {
      _tool: { const: name },
      id: { type: 'string', description: `The number of the ${thing}.` },
      reason: { type: 'string', description: 'Why it is done, for the log.' },
      priority: { enum: ['low', 'normal', 'high'] },
      notify: { type: 'array', items: { type: 'string' } },
      _output: { type: 'string' },
    },
    required: ['_tool', 'id'],
    additionalProperties: false,
  }
}

function words(text) {
  return text.split(' ')
}
