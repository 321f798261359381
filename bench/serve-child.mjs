// A server of one kind, in a process of its own. Arguments: its kind, and the folder of a generated project.
// Says on which port it listens, and, whenever it is asked, how much processor time it has taken.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { makeTools, randomSource, toolSchema, validValue } from './corpus.mjs'
import { root } from './project.mjs'

const require = createRequire(import.meta.url)
const { Ajv2020 } = require('ajv/dist/2020.js')
const addFormats = require('ajv-formats')

const [kind, folder, count] = process.argv.slice(2)

const random = randomSource(5)
const tools = makeTools(Number(count)).map((tool) => ({ ...tool, answer: validValue(tool.output, random) }))

const kinds = { bare, adapted, callsheet, mcpSdk }
const server = await kinds[kind]()
if (server.url) process.send({ port: Number(new URL(server.url).port) })
else server.listen({ port: 0, host: '127.0.0.1' }, () => process.send({ port: server.address().port }))
process.on('message', () => process.send({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())

/** What somebody would write by hand who checks what comes in and what goes out, and does nothing else. */
function checkedTools() {
  const compile = (schema) => addFormats(new Ajv2020({ strict: false })).compile(schema)
  return new Map(
    tools.map((tool) => {
      const { properties, ...schema } = toolSchema(tool)
      const { _output, _tool, ...sent } = properties
      const input = {
        ...schema,
        properties: sent,
        required: schema.required.filter((name) => name !== '_tool'),
      }
      const activity = async () => tool.answer
      return [`/tools/${tool.name}`, { input: compile(input), output: compile(_output), activity }]
    }),
  )
}

async function answered(tool, text) {
  const parameters = JSON.parse(text)
  if (!tool.input(parameters)) throw new Error('not valid')
  const output = await tool.activity(parameters)
  if (!tool.output(output)) throw new Error('not valid')
  return JSON.stringify(output)
}

function bare() {
  const known = checkedTools()
  return createServer(async (request, response) => {
    try {
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      const text = await answered(known.get(request.url), Buffer.concat(chunks).toString())
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    } catch {
      response.writeHead(400).end()
    }
  })
}

/** The same over web-standard requests, as every handler that runs everywhere gets them. */
function adapted() {
  const known = checkedTools()
  return createAdaptorServer({
    fetch: async (request) => {
      try {
        const text = await answered(known.get(new URL(request.url).pathname), await request.text())
        return new Response(text, { headers: { 'content-type': 'application/json' } })
      } catch {
        return new Response(null, { status: 400 })
      }
    },
  })
}

async function callsheet() {
  const { Tool, Activity } = await import(pathToFileURL(join(folder, 'index.js')).href)
  for (const { name, answer } of tools) Activity.register(name, async () => answer)
  const { serveHttp } = await import(pathToFileURL(join(root, 'dist/server.js')).href)
  return { url: (await serveHttp(Tool, { port: 0 })).url }
}

/** The official SDK's own server, which checks what comes in and what goes out by its validator. */
function mcpSdk() {
  const declared = tools.map(({ name, description, parameters, output, answer }) => ({
    name,
    answer: { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] },
    config: { description, inputSchema: fromJsonSchema(parameters), outputSchema: fromJsonSchema(output) },
  }))
  const handler = createMcpHandler(() => {
    const made = new McpServer({ name: 'bench', version: '1.0.0' })
    for (const { name, config, answer } of declared) made.registerTool(name, config, async () => answer)
    return made
  })
  return createAdaptorServer({ fetch: (request) => handler.fetch(request) })
}
