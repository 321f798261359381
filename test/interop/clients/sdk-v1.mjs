// A client of version 1 of the MCP SDK. Arguments: the URL of a server, or the command of one.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { converse } from './conversation.mjs'

const [first, ...args] = process.argv.slice(2)
const client = new Client({ name: 'sdk-v1', version: '1.0.0' })
await client.connect(
  URL.canParse(first)
    ? new StreamableHTTPClientTransport(new URL(first))
    : new StdioClientTransport({ command: first, args, stderr: 'inherit' }),
)
await converse(client)
