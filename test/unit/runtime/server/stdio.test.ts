import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

/** Connects to `callsheet serve --stdio` of this repository's own sample, as a client of any maker does. */
async function connect(modes: object) {
  const client = new Client({ name: 'test', version: '1.0.0' }, modes)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/cli.js'), 'serve', '--stdio', '--cwd', root],
    }),
  )
  return client
}

describe.each([
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['the revision before it', {}],
])('SERVE-1, SERVE-2 callsheet serve --stdio, %s', (_, modes) => {
  test('lists the Tools of the sample, calls one, refuses with every problem', async () => {
    const client = await connect(modes)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('PhraseEmphasis.bold')
    const bold = await client.callTool({ name: 'PhraseEmphasis.bold', arguments: { phrase: 'hi' } })
    expect(bold.content).toContainEqual({ type: 'text', text: '**hi**' })
    const refused = await client.callTool({ name: 'PhraseEmphasis.bold', arguments: { phrase: '', more: 1 } })
    expect(refused.isError).toBe(true)
    expect(JSON.stringify(refused.content)).toMatch(/phrase.*more/s)
    await client.close()
  })
})
