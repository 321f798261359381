// What the turns of an agent cost besides the model: the same script with few and with many turns.
//
//   node bench/agent-turns.mjs [HOW_MANY_TOOLS]
//
// The model answers at once, from prepared completions. Processor time, since it is the same on a machine that does other
// work. Needs dist/ (npm run build).

import { Agent } from '../dist/agent.js'
import { createRegistry } from '../dist/index.js'
import { makeTools } from './corpus.mjs'

const count = Number(process.argv[2] ?? 100)
const rounds = 5
const [few, many] = [2, 22]

const ping = {
  type: 'object',
  effects: 'read',
  properties: { _tool: { const: 'ping' }, n: { type: 'integer' }, _output: { type: 'integer' } },
  required: ['_tool', 'n'],
  additionalProperties: false,
}
const tools = Object.fromEntries(
  makeTools(count, 3).map(({ name, description, parameters, output }) => {
    const { properties, required = [], ...rest } = parameters
    const all = { _tool: { const: name }, ...properties, _output: output }
    return [name, { ...rest, description, properties: all, required: ['_tool', ...required] }]
  }),
)
const { Tool, Activity } = createRegistry({ tools: { ...tools, ping } })
Activity.register('ping', ({ n }) => n)

console.log(`Processor milliseconds with ${count} Tools: the first run of ${few} turns, each turn after that`)
for (const mode of ['composed', 'native']) {
  const first = await timeOf(few, mode)
  const perTurn = []
  for (let round = 0; round < rounds; round++) {
    const [short, long] = [await timeOf(few, mode), await timeOf(many, mode)]
    perTurn.push((long - short) / (many - few))
  }
  perTurn.sort((left, right) => left - right)
  console.log(`  ${mode}: ${first.toFixed(0)}, ${perTurn[Math.floor(rounds / 2)].toFixed(1)}`)
}

async function timeOf(turns, mode) {
  const completions = Array.from({ length: turns }, (_, n) => completion(n < turns - 1 ? n : undefined, mode))
  const client = { chat: { completions: { create: async () => completions.shift() } } }
  const before = process.cpuUsage()
  await Agent({ model: 'm', client, tools: Tool, mode, output: { type: 'string' }, maxTurns: many })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A chat completion that calls `ping` or, without a number, gives the output. */
function completion(n, mode) {
  const call = { _reasoningForCall: 'So.', n }
  const solution =
    n === undefined
      ? { calls: [], output: 'done' }
      : { calls: [{ _tool: 'ping', _activity: 'ping', ...call }], output: null }
  const called = {
    id: `call_${n}`,
    type: 'function',
    function: { name: 'ping', arguments: JSON.stringify(call) },
  }
  const message =
    mode === 'native' && n !== undefined
      ? { role: 'assistant', content: null, tool_calls: [called] }
      : { role: 'assistant', content: JSON.stringify(solution) }
  return { choices: [{ index: 0, message }], usage: { prompt_tokens: 1, completion_tokens: 1 } }
}
