import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { mcpTools } from './mcp-tools.js'
import { workspaceServer } from './workspace.js'

const folder = await mkdtemp(join(tmpdir(), 'callsheet-coding-'))
await writeFile(join(folder, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
await writeFile(
  join(folder, 'sum.test.mjs'),
  "import assert from 'node:assert'\nimport { sum } from './sum.mjs'\nassert.equal(sum(1, 2), 3)\n",
)

// Both run in this process. For a real server, use a StdioClientTransport or an HTTP transport.
const client = new Client({ name: 'coding-agent', version: '1.0.0' })
const [here, there] = InMemoryTransport.createLinkedPair()
await Promise.all([workspaceServer(folder).connect(there), client.connect(here)])

const model = scriptedModel([
  { calls: [{ _tool: 'listFiles' }, { _tool: 'runTests' }] },
  // A missing file and an unknown parameter: the model reads both errors and corrects itself.
  {
    calls: [
      { _tool: 'readFile', path: 'src/sum.mjs' },
      { _tool: 'readFile', file: 'sum.mjs' },
    ],
  },
  { calls: [{ _tool: 'readFile', path: 'sum.mjs' }] },
  { calls: [{ _tool: 'writeFile', path: 'sum.mjs', text: 'export const sum = (a, b) => a + b\n' }] },
  { calls: [{ _tool: 'writeFile', path: '../elsewhere.mjs', text: '' }, { _tool: 'runTests' }] },
  { output: 'sum.mjs subtracted; it adds now, and the test passes.' },
])

const { output } = await Agent<string>({
  model: 'scripted',
  client: model,
  tools: await mcpTools(client),
  context: [{ type: 'text', text: 'The test fails. Mend the code.' }],
  output: { type: 'string' },
  // Called only for Tools that write. A person can decide, or a rule such as this one.
  confirm: {
    effects: ['write'],
    ask: ({ path }) => path === 'sum.mjs' || { refuse: 'only sum.mjs may be changed' },
  },
  maxTurns: 10,
  onTurn: ({ outcomes }) => {
    for (const { tool, status, output, error } of outcomes) {
      const said = String(output ?? error?.message).trimEnd()
      console.log(`${status} ${tool}: ${said.replaceAll('\n', ', ')}`)
    }
  },
})
console.log(output)
await client.close()
await rm(folder, { recursive: true, force: true })
