// What one Call costs a server: the processor time of its process, over real sockets, beside a handler on node:http with Ajv's two
// checks and beside the MCP SDK's own server. Each server has a process of its own; this one asks.
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { makeTools, randomSource, validValue } from '../corpus.mjs'
import { spread } from '../measure.mjs'
import { compileProject, generateProject, makeProject, removeProject } from '../project.mjs'
import { atMost, grouped, spreadText } from '../section.mjs'

const count = 20
const connections = 16
const floorName = 'node:http, Ajv’s two checks'
const child = fileURLToPath(new URL('../serve-child.mjs', import.meta.url))

/** By name: which server is asked, and how. */
const contestants = {
  [floorName]: { kind: 'bare', ask: byName },
  'the same over web-standard requests': { kind: 'adapted', ask: byName },
  'Callsheet POST /tools/{name}': { kind: 'callsheet', ask: byName },
  'Callsheet POST /calls': { kind: 'callsheet', ask: asCall },
  'Callsheet POST /calls with an id': { kind: 'callsheet', ask: asCallWithId },
  'Callsheet over MCP': { kind: 'callsheet', ask: overMcp },
  'MCP SDK’s own server': { kind: 'mcpSdk', ask: overMcp },
}

/** @returns {Promise<import('../section.mjs').Section>} */
export async function run({ quick = false } = {}) {
  const folder = makeProject(makeTools(count))
  const servers = new Map()
  try {
    generateProject(folder)
    const built = compileProject(folder)
    for (const kind of new Set(Object.values(contestants).map((each) => each.kind)))
      servers.set(kind, await startServer(kind, built))
    const calls = callsOf()
    const measured = await inTurns(servers, calls, {
      warmUp: quick ? 2_000 : 4_000,
      turn: quick ? 300 : 600,
      rounds: quick ? 5 : 21,
    })
    return asSection(measured)
  } finally {
    for (const { process } of servers.values()) process.disconnect()
    removeProject(folder)
  }
}

async function startServer(kind, built) {
  const process = fork(child, [kind, built, String(count)])
  const { port } = await answerOf(process)
  return {
    process,
    port,
    cpu: async () => {
      process.send('cpu')
      const { cpu } = await answerOf(process)
      return cpu.user + cpu.system
    },
  }
}

function answerOf(process) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`The server ended with ${code}.`))
    process.once('exit', ended)
    process.once('message', (answer) => {
      process.off('exit', ended)
      resolve(answer)
    })
  })
}

function callsOf() {
  const random = randomSource(7)
  return makeTools(count).flatMap(({ name, parameters }) =>
    Array.from({ length: 10 }, () => ({ name, args: validValue(parameters, random) })),
  )
}

/** So many requests for each contestant, one after the other and round after round; the floor of the same round is the measure. */
async function inTurns(servers, calls, { warmUp, turn, rounds }) {
  const entries = Object.entries(contestants)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  for (const [, { kind, ask }] of entries) await askTimes(servers.get(kind).port, agent, ask, calls, warmUp)
  const costs = new Map(entries.map(([name]) => [name, []]))
  const rates = new Map(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, { kind, ask }] of entries) {
      const { port, cpu } = servers.get(kind)
      const [before, start] = [await cpu(), performance.now()]
      await askTimes(port, agent, ask, calls, turn)
      const [after, end] = [await cpu(), performance.now()]
      costs.get(name).push((after - before) / turn)
      rates.get(name).push((turn / (end - start)) * 1_000)
    }
  }
  agent.destroy()
  const floor = costs.get(floorName)
  return Object.fromEntries(
    entries.map(([name]) => {
      const list = costs.get(name)
      const ratio = spread(list.map((each, round) => each / floor[round]))
      return [name, { microseconds: spread(list), ratio, rate: spread(rates.get(name)) }]
    }),
  )
}

/** Asks so many times, over so many connections at once. */
async function askTimes(port, agent, ask, calls, times) {
  let next = 0
  const client = async () => {
    while (next < times) {
      const call = calls[next % calls.length]
      await post(port, agent, ask(call, next++))
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}

function post(port, agent, { path, body, headers }) {
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          ...headers,
        },
      },
      (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          answer += part
        })
        response.on('end', () => {
          const failed = response.statusCode !== 200 || /"isError":true|"status":"failed"/.test(answer)
          if (failed) reject(new Error(`${path} answered ${response.statusCode}: ${answer.slice(0, 300)}`))
          else resolve()
        })
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

function byName({ name, args }) {
  return { path: `/tools/${name}`, body: args }
}

function asCall({ name, args }) {
  return { path: '/calls', body: { ...args, _tool: name } }
}

let ids = 0
function asCallWithId({ name, args }) {
  ids += 1
  return { path: '/calls', body: { call: { ...args, _tool: name }, id: `bench-${ids}` } }
}

function overMcp({ name, args }, id) {
  return {
    path: '/mcp',
    body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream' },
  }
}

function asSection(measured) {
  const ratio = (name) => measured[name].ratio.median
  return {
    tables: [
      {
        caption: `One request of ${count} tools over loopback, ${connections} connections, every answer checked (processor time of the server’s process)`,
        head: ['Server', 'µs per Call', 'times the floor', 'Calls per second here'],
        rows: Object.entries(measured).map(([name, { microseconds, ratio: times, rate }]) => [
          name,
          grouped(microseconds.median),
          spreadText(times, 2),
          grouped(rate.median),
        ]),
      },
    ],
    targets: [
      atMost(
        'POST /tools/{name}, times node:http with Ajv’s two checks',
        1.5,
        ratio('Callsheet POST /tools/{name}'),
      ),
      atMost(
        'over MCP, of the MCP SDK’s own server',
        1,
        ratio('Callsheet over MCP') / ratio('MCP SDK’s own server'),
      ),
    ],
    notes: [
      'Callsheet listens by `serveHttp`; the handler over web-standard requests and the MCP SDK’s server do by `@hono/node-server`.',
      'Each server has a process of its own, and so has the client; the rate is what both come to on the same processors, and the time is the server’s alone.',
      'Callsheet also looks at host, origin, size and depth, holds a place in its queue, gives the Call an id and a limit of time, and aborts it when the client leaves; the handler on node:http does none of that.',
      'With an id the Outcome is kept as well, so that the same request would not run again.',
    ],
  }
}
