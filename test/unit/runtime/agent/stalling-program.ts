// Run by processes.test.ts: uses an agent on servers that stall, drop and delay, and then has nothing left to do. It
// must end by itself, without process.exit, and hold on to no timer or connection before it does.
import { Agent } from 'callsheet/agent'
import { type Fault, scriptedModel } from 'callsheet/testing'
import { add, registryWithTools } from './tools.ts'

const faults: Fault[] = [
  { at: 'headers', kind: 'stall' },
  { request: 1, at: 'mid-call', kind: 'stall' },
  { request: 2, at: 'first-byte', kind: 'drop' },
]
const model = scriptedModel(Array(9).fill({ calls: [add(1, 2)], output: 'done' }))
const server = await model.listen({ faults })
const { Tool } = registryWithTools()
const { output } = await Agent({
  model: 'm',
  baseURL: server.baseURL,
  apiKey: 'x',
  tools: Tool,
  output: { type: 'string' },
  stream: true,
  attemptTimeout: 400,
  timeout: 60_000,
  maxTime: 600_000,
  retry: { attempts: 9, backoff: 0 },
})
await server.close()
// Closing a socket takes the event loop a turn or two.
for (let turn = 0; turn < 100 && held().length > 0; turn++) await new Promise(setImmediate)
console.log(`${output}, and holds on to ${held().join(', ') || 'nothing'}`)

/** Timers and connections that would keep the process alive. */
function held(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /timeout|tcp|tls/i.test(name))
}
