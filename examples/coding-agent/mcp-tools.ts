import type { Client } from '@modelcontextprotocol/client'
import { createRegistry } from 'callsheet'

/** A registry of the Tools that an MCP server lists, each with an Activity that asks the server. */
export async function mcpTools(client: Client) {
  const { Tool, Activity } = createRegistry()
  for (const { name, description = '', inputSchema, annotations } of (await client.listTools()).tools) {
    // Those would be meta-fields, which say what runs and what it sees: not for a server to choose.
    const reserved = Object.keys(inputSchema.properties ?? {}).filter((parameter) =>
      parameter.startsWith('_'),
    )
    if (reserved.length > 0)
      throw new Error(`"${name}" has parameters with an underscore: ${reserved.join(', ')}`)
    Tool.register(name, {
      type: 'object',
      description,
      // What a server says of itself is a hint. Without one, MCP takes a tool for one that writes.
      effects: annotations?.readOnlyHint ? 'read' : 'write',
      properties: { _tool: { const: name }, ...inputSchema.properties, _output: { type: 'string' } },
      required: ['_tool', ...(inputSchema.required ?? [])],
      additionalProperties: false,
    })
    Activity.register(name, async ({ _tool, ...parameters }, _schema, _context, run) => {
      const { content, isError } = await client.callTool(
        { name, arguments: parameters },
        { signal: run.signal },
      )
      const text = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n')
      if (isError) throw new Error(text)
      return text
    })
  }
  return Tool
}
