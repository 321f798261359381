import { requireArgument, requireOptionsOf } from '../problems/option-problems.ts'
import type { ServableTool } from './served-tools.ts'
import { servableTool, toolServerRules } from './server-option-rules.ts'
import { ToolHandler, type ToolServerOptions } from './tool-handler.ts'
import { responseOf, WebRequest } from './web-exchange.ts'

/** A web-standard handler of the Tools of a registry. */
export interface ToolServer {
  (request: Request): Promise<Response>
  /** The handler itself, for runtimes that expect `{ fetch }`. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Stops accepting Calls, waits for running ones within the limits, and releases all resources. */
  close(): Promise<void>
}

/**
 * Serves the Tools of a registry (SERVE-1): over HTTP (`POST /calls`, `POST /tools/{name}`, `GET /tools`, `GET /openapi.json`,
 * `GET /health`) and over MCP (`/mcp`, with `@modelcontextprotocol/server` installed).
 *
 * Responds only to loopback host names, unless `hosts` lists others, which require `authorize`.
 *
 * @throws CallsheetError `invalid_options`.
 * @example
 * import { serve } from '@hono/node-server'
 * import { toolServer } from 'callsheet/server'
 * import './activities.js'
 * import { Tool } from './generated/index.js'
 *
 * serve({ fetch: toolServer(Tool), hostname: '127.0.0.1', port: 3000 })
 */
export function toolServer(tools: ServableTool, options: ToolServerOptions = {}): ToolServer {
  requireArgument('toolServer', tools, servableTool)
  requireOptionsOf('toolServer', options, toolServerRules)
  const handler = new ToolHandler(tools, options)
  const handle = async (request: Request): Promise<Response> =>
    responseOf(await handler.answer(new WebRequest(request)))
  return Object.assign(handle, { fetch: handle, close: () => handler.close() })
}
