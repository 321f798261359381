// A client of version 2 of the MCP SDK, in the newest revision that both sides know. Arguments: as those of version 1.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { converse } from './conversation.mjs'

const [first, ...args] = process.argv.slice(2)
const client = new Client({ name: 'sdk-v2', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(
  URL.canParse(first)
    ? new StreamableHTTPClientTransport(new URL(first))
    : new StdioClientTransport({ command: first, args, stderr: 'inherit' }),
)
await converse(client)
