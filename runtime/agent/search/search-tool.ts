import { createRegistry } from '../../create-registry.ts'
import type { ToolApi } from '../../registry/registry-api.ts'

/** The result of a search, for the model. */
export interface SearchOutput {
  /** The names of Tools that the model may call from the next turn on. */
  readonly found: readonly string[]
  /** Advice if not all results could be offered. */
  readonly note?: string
}

/** Creates the search Tool, in a registry of its own: its Calls are validated and run like any other. */
export function searchTool(name: string, search: (query: string) => Promise<SearchOutput>): ToolApi {
  const { Tool, Activity } = createRegistry({ tools: { [name]: schemaOf(name) } })
  Activity.register(name, ({ query }) => search(String(query)))
  return Tool
}

/** Longest question, in characters. */
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
