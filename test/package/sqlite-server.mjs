// A server with the SQLite store, started by sqlite-store.test.ts on Node 24: PORT DATABASE DEEDS. Each payment is a line in DEEDS.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { createRegistry } from '../../dist/index.js'
import { sqliteStore, toolServer } from '../../dist/server.js'

const [database, deeds] = process.argv.slice(2)
const tool = (name, effects) => ({
  type: 'object',
  effects,
  properties: { _tool: { const: name }, time: { type: 'number' }, _output: { type: 'string' } },
  required: ['_tool', 'time'],
})
const { Tool, Activity } = createRegistry({
  tools: { pay: tool('pay', 'write'), look: tool('look', 'read') },
})
for (const name of ['pay', 'look']) {
  Activity.register(name, async (call) => {
    appendFileSync(deeds, `${name}\n`)
    await new Promise((resolve) => setTimeout(resolve, call.time))
    return 'done'
  })
}
const handler = toolServer(Tool, { store: sqliteStore(new DatabaseSync(database), { lease: 600 }) })
const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const answer = await handler(
    new Request(`http://localhost${request.url}`, {
      method: 'POST',
      headers: request.headers,
      body: Buffer.concat(chunks),
    }),
  )
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
