import type { AddressInfo } from 'node:net'
import type { Tool as AnyTool } from '@delivery/contracts'
import { serve } from '@hono/node-server'
import { toolServer } from 'callsheet/server'

/** Serves the Tools over HTTP, and says where. What runs ends before the process does. */
export function serveTools({ Tool, port }: { readonly Tool: typeof AnyTool; readonly port: number }): void {
  const server = toolServer(Tool, { name: 'delivery' })
  const listening = serve({ fetch: server.fetch, hostname: '127.0.0.1', port }, (address: AddressInfo) =>
    console.log(`http://127.0.0.1:${address.port}`),
  )
  process.once('SIGTERM', async () => {
    listening.close()
    await server.close()
    process.exit()
  })
}
