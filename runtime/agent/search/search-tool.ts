import { createRegistry } from '../../create-registry.ts'
import type { ToolApi } from '../../registry/registry-api.ts'

/** What a search gives the model to read. */
export interface SearchOutput {
  /** The names of Tools that it may call from the next turn on. */
  readonly found: readonly string[]
  /** What to do where that is not all. */
  readonly note?: string
}

/** Makes the Tool by which a model looks for others, in a registry of its own: its Calls are checked and run as any. */
export function searchTool(name: string, search: (query: string) => Promise<SearchOutput>): ToolApi {
  const { Tool, Activity } = createRegistry({ tools: { [name]: schemaOf(name) } })
  Activity.register(name, ({ query }) => search(String(query)))
  return Tool
}

/** Characters of a question. */
const maxQuery = 1000

function schemaOf(name: string): object {
  return {
    type: 'object',
    description:
      'Finds tools that are not listed here, by what they do. Those that it finds are listed from the next turn on. Search before you say that something cannot be done.',
    effects: 'read',
    properties: {
      _tool: { const: name },
      query: {
        type: 'string',
        minLength: 1,
        maxLength: maxQuery,
        description: 'What one tool should do, in a few words. Search once for each thing that you need.',
      },
      _output: {
        type: 'object',
        properties: { found: { type: 'array', items: { type: 'string' } }, note: { type: 'string' } },
        required: ['found'],
        additionalProperties: false,
      },
    },
    required: ['_tool', 'query'],
    additionalProperties: false,
  }
}
