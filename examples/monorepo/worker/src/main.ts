import type { AddressInfo } from 'node:net'
import { Tool } from '@delivery/contracts'
import { serve } from '@hono/node-server'
import { toolServer } from 'callsheet/server'
import './activities.js'

const server = toolServer(Tool, { name: 'delivery' })
const listening = serve(
  { fetch: server.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 0) },
  (address: AddressInfo) => console.log(`http://127.0.0.1:${address.port}`),
)
// What runs ends before the process does.
process.once('SIGTERM', async () => {
  listening.close()
  await server.close()
  process.exit()
})
