import type { Client } from '@modelcontextprotocol/client'
import { createRegistry } from 'callsheet'

/** Creates a registry with a Tool for each tool of an MCP server, and an Activity that calls the server. */
export async function mcpTools(client: Client) {
  const { Tool, Activity } = createRegistry()
  for (const { name, description = '', inputSchema, annotations } of (await client.listTools()).tools) {
    // These would be meta-fields, which decide what runs and what it sees. A server may not set them.
    const reserved = Object.keys(inputSchema.properties ?? {}).filter((parameter) =>
      parameter.startsWith('_'),
    )
    if (reserved.length > 0)
      throw new Error(`"${name}" has parameters with an underscore: ${reserved.join(', ')}`)
    Tool.register(name, {
      // With its definitions, to which parameters refer.
      ...inputSchema,
      description,
      // Hints of a server are not guaranteed. Without a hint, MCP assumes that a tool writes.
      effects: annotations?.readOnlyHint ? 'read' : 'write',
      properties: { _tool: { const: name }, ...inputSchema.properties, _output: { type: 'string' } },
      required: ['_tool', ...(inputSchema.required ?? [])],
      additionalProperties: false,
    })
    Activity.register(name, async (call, _schema, _context, run) => {
      // Not for the server: why the model makes this Call, and the name of the Activity.
      const { _tool, _activity, _reasoningForCall, ...parameters } = call
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
