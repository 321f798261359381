// How each peer runs a tool: one function per peer that takes the tools with their handlers and gives a function that
// runs one call. All validate the same schemas, as far as each validates at all; `validates` says what that is.
import * as z from 'zod'
import { zodSource } from './corpus.mjs'

/**
 * @typedef {{ name: string, description: string, parameters: object, output: object, answer: object }} AnsweringTool
 * @typedef {{ validates: string, run: (name: string, args: object) => Promise<unknown>, close?: () => Promise<void> }} Peer
 * @type {Record<string, (tools: AnsweringTool[]) => Promise<Peer>>}
 */
export const peers = {
  'Mastra createTool().execute': (tools) => mastra(tools, false),
  'Mastra with outputSchema': (tools) => mastra(tools, true),
  'LangChain tool().invoke, zod': langChain,
  'OpenAI Agents tool().invoke, JSON Schema': (tools) => openAiAgents(tools, false),
  'OpenAI Agents tool().invoke, zod': (tools) => openAiAgents(tools, true),
  'MCP in memory': (tools) => modelContext(tools, false),
  'MCP in memory with outputSchema': (tools) => modelContext(tools, true),
}

/** A zod schema of a JSON Schema. `optional` is how a field may be absent. */
export function zodOf(schema, optional = '.optional()') {
  const source = zodSource(schema)
  const code = optional === '.optional()' ? source : source.replaceAll('.optional()', optional)
  return new Function('z', `return ${code}`)(z)
}

async function mastra(tools, withOutput) {
  const { createTool } = await import('@mastra/core/tools')
  const made = byName(tools, ({ name, description, parameters, output, answer }) =>
    createTool({
      id: name,
      description,
      inputSchema: zodOf(parameters),
      ...(withOutput && { outputSchema: zodOf(output) }),
      execute: async () => answer,
    }),
  )
  return {
    validates: withOutput ? 'input, output' : 'input',
    run: (name, args) => made.get(name).execute(args, {}),
  }
}

async function langChain(tools) {
  const { tool } = await import('@langchain/core/tools')
  const made = byName(tools, ({ name, description, parameters, answer }) =>
    tool(async () => answer, { name, description, schema: zodOf(parameters) }),
  )
  return { validates: 'input', run: (name, args) => made.get(name).invoke(args) }
}

/** It takes arguments as the text that a model sent. Its strict mode knows no optional fields, so they are null. */
async function openAiAgents(tools, withZod) {
  const { RunContext, tool } = await import('@openai/agents')
  const made = byName(tools, ({ name, description, parameters, answer }) =>
    withZod
      ? tool({ name, description, parameters: zodOf(parameters, '.nullable()'), execute: async () => answer })
      : tool({ name, description, parameters, strict: false, execute: async () => answer }),
  )
  const context = new RunContext({})
  const texts = new WeakMap()
  const textOf = (name, args) => {
    const known = texts.get(args)
    if (known) return known
    const schema = tools.find((each) => each.name === name).parameters
    const text = JSON.stringify(withZod ? withNulls(schema, args) : args)
    texts.set(args, text)
    return text
  }
  return {
    validates: withZod ? 'input (and parses it)' : 'nothing (parses the input)',
    run: async (name, args) => {
      const result = await made.get(name).invoke(context, textOf(name, args))
      // It reports what went wrong as text for the model instead of throwing.
      if (typeof result === 'string') throw new Error(result)
      return result
    },
  }
}

async function modelContext(tools, withOutput) {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
  const server = new McpServer({ name: 'bench', version: '1' })
  for (const { name, description, parameters, output, answer } of tools) {
    const config = {
      description,
      inputSchema: zodOf(parameters),
      ...(withOutput && { outputSchema: zodOf(output) }),
    }
    server.registerTool(name, config, async () => ({
      content: [{ type: 'text', text: 'done' }],
      ...(withOutput && { structuredContent: answer }),
    }))
  }
  const client = new Client({ name: 'bench', version: '1' })
  const [here, there] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(here), client.connect(there)])
  // A client knows the output schemas, and validates by them, once it has asked for the list.
  if (withOutput) await client.listTools()
  return {
    validates: withOutput ? 'input, output (server and client)' : 'input',
    run: async (name, args) => {
      const result = await client.callTool({ name, arguments: args })
      if (result.isError) throw new Error(JSON.stringify(result.content))
      return result
    },
    close: () => client.close(),
  }
}

/**
 * One pass of the AI SDK: a model that asks for all calls in one response, so that what a step costs by itself is
 * shared by them.
 *
 * @param calls Each `{ _tool, ...args }`.
 */
export async function aiSdkPass(tools, calls, withZod) {
  const { generateText, jsonSchema, tool } = await import('ai')
  const { MockLanguageModelV4 } = await import('ai/test')
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  const { default: formats } = await import('ajv-formats')
  const ajv = new Ajv2020({ strict: false })
  ;(formats.default ?? formats)(ajv)
  const checked = (schema) => {
    const check = ajv.compile(schema)
    const validate = (value) =>
      check(value) ? { success: true, value } : { success: false, error: new Error('not valid') }
    return jsonSchema(schema, { validate })
  }
  const made = byName(tools, ({ description, parameters, answer }) =>
    tool({
      description,
      inputSchema: withZod ? zodOf(parameters) : checked(parameters),
      execute: async () => answer,
    }),
  )
  const content = calls.map(({ _tool, ...args }, index) => ({
    type: 'tool-call',
    toolCallId: `call-${index}`,
    toolName: _tool,
    input: JSON.stringify(args),
  }))
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content,
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    }),
  })
  const record = Object.fromEntries(made)
  return async () => {
    const { toolResults } = await generateText({ model, tools: record, prompt: 'go' })
    if (toolResults.length !== calls.length) throw new Error(`${toolResults.length} of ${calls.length} ran.`)
  }
}

function withNulls(schema, value) {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => withNulls(schema.items, item))
  const branch = schema.anyOf?.find(({ properties }) => properties?.kind?.const === value.kind) ?? schema
  return Object.fromEntries(
    Object.entries(branch.properties).map(([key, member]) => [
      key,
      key in value ? withNulls(member, value[key]) : null,
    ]),
  )
}

function byName(tools, make) {
  return new Map(tools.map((tool) => [tool.name, make(tool)]))
}
