import type { Tool as AnyTool } from '@delivery/contracts'
import { serveHttp } from 'callsheet/server'

interface Options {
  readonly Tool: typeof AnyTool
  readonly port: number
}

/** Serves the Tools over HTTP and prints the address. Running Calls finish before the process exits. */
export async function serveTools({ Tool, port }: Options): Promise<void> {
  const server = await serveHttp(Tool, { name: 'delivery', port })
  console.log(server.url)
  process.once('SIGTERM', async () => {
    await server.close()
    process.exit()
  })
}
