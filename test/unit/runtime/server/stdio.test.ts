import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, test } from 'vitest'
import { sampleProject } from '../../../sample-project.ts'
import { until } from './serving.ts'

const root = join(import.meta.dirname, '../../../..')
const sample = sampleProject()

/** Connects to `callsheet serve --stdio` of this repository's own sample, as a client of any maker does. */
async function connect(modes: object) {
  const client = new Client({ name: 'test', version: '1.0.0' }, modes)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/cli.js'), 'serve', '--stdio', '--cwd', sample],
    }),
  )
  return client
}

/** A process of its own that runs a script of the built package. */
function serverOf(script: string): StdioClientTransport {
  const args = ['--input-type=module', '--eval', script]
  return new StdioClientTransport({ command: process.execPath, args, cwd: root })
}

describe.each([
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['the revision before it', {}],
])('SERVE-1, SERVE-2 callsheet serve --stdio, %s', (_, modes) => {
  test('lists the Tools of the sample, calls one, refuses with every problem', async () => {
    const client = await connect(modes)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('PhraseEmphasis__bold')
    const bold = await client.callTool({ name: 'PhraseEmphasis.bold', arguments: { phrase: 'hi' } })
    expect(bold.content).toContainEqual({ type: 'text', text: '**hi**' })
    const refused = await client.callTool({ name: 'PhraseEmphasis.bold', arguments: { phrase: '', more: 1 } })
    expect(refused.isError).toBe(true)
    expect(JSON.stringify(refused.content)).toMatch(/phrase.*more/s)
    await client.close()
  })
})

describe('SERVE-1 serveStdio', () => {
  test.each([
    ['2026-07-28', 'auto'],
    ['the revision before it', 'legacy'],
  ] as const)('SERVE-2 tells a client once that Tools came and went, %s', async (_, mode) => {
    let told = 0
    const onChanged = (): void => {
      told += 1
    }
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      {
        versionNegotiation: { mode },
        listChanged: { tools: { onChanged, autoRefresh: false, debounceMs: 0 } },
      },
    )
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const { Tool, Activity } = createRegistry({ tools: { more: tool('more', {}) } })
      Activity.register('more', () => {
        Tool.register('one', tool('one', {}))
        Tool.register('two', tool('two', {}))
        Tool.unregister('one')
        Tool.unregister('one')
      })
      await serveStdio(Tool)`
    await client.connect(serverOf(script))
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true })
    await client.callTool({ name: 'more' })
    await until(() => told > 0)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['more', 'two'])
    expect(told).toBe(1)
    await client.close()
  })

  test('closing waits for what runs, and the client has its answer', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const { Tool, Activity } = createRegistry({
        tools: { pay: tool('pay', { _output: { type: 'string' } }, { effects: 'write' }) },
      })
      const server = await serveStdio(Tool)
      Activity.register('pay', async () => {
        void server.close()
        await new Promise((resolve) => setTimeout(resolve, 100))
        return 'paid'
      })`
    await client.connect(serverOf(script))
    const { content } = await client.callTool({ name: 'pay' })
    expect(content).toEqual([{ type: 'text', text: 'paid' }])
    await client.close()
  })

  test('who writes its requests and closes at once, as a shell does, has every answer, that of an unfinished line too', async () => {
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const { Tool, Activity } = createRegistry({
        tools: { pay: tool('pay', { _output: { type: 'string' } }, { effects: 'write' }) },
      })
      await serveStdio(Tool)
      Activity.register('pay', async () => {
        await new Promise((resolve) => setTimeout(resolve, 100))
        return 'paid'
      })`
    const server = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
    const clientInfo = { name: 'shell', version: '1.0.0' }
    const requests = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'pay', arguments: {} } },
      { id: 3, method: 'tools/list' },
      { id: 4, method: 'tools/call', params: { name: 'pay', arguments: {} } },
      { method: 'notifications/cancelled', params: { requestId: 4 } },
      { id: 5, method: 5 },
      [{ id: 7, method: 'ping' }, { method: 'notifications/initialized' }],
      { method: 5 },
      { id: 8, result: 5 },
      { id: 6, method: 'tools/call', params: { name: 'pay', arguments: {} } },
    ]
    const said = text(server.stderr)
    const lines = requests.map((each) =>
      JSON.stringify(Array.isArray(each) ? each : { jsonrpc: '2.0', ...each }),
    )
    server.stdin.write('\ufeff\n\r\n{"jsonrpc":"2.0","id":9,\n')
    server.stdin.write(Buffer.from('{"jsonrpc":"2.0","id":9,"method":"\xff"}\n', 'latin1'))
    server.stdin.end(lines.join('\n'))
    const answers = (await text(server.stdout)).trim().split('\n')
    const errors = answers.map((line) => JSON.parse(line)).filter(({ error }) => error)
    expect(errors.map(({ id, error }) => [id, error.code])).toEqual([
      [null, -32700],
      [null, -32700],
      [5, -32600],
      [7, -32600],
    ])
    const byId = new Map(answers.map((line) => [JSON.parse(line).id, JSON.parse(line).result]))
    expect([...byId.keys()].sort()).toEqual([1, 2, 3, 5, 6, 7, null])
    for (const id of [2, 6]) expect(byId.get(id)).toMatchObject({ content: [{ type: 'text', text: 'paid' }] })
    const noJson = 'callsheet: A line of the input is not JSON, and was ignored.\n'
    const noMessage = 'callsheet: A line of the input is JSON, but no message of JSON-RPC, and was ignored.\n'
    expect(await said).toBe(noJson.repeat(2) + noMessage.repeat(4))
    expect(byId.get(3).tools).toHaveLength(1)
  })

  test('answers that nobody reads yet are no leak; a message that is too long ends the server in order', async () => {
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const tools = { say: tool('say', { _output: { type: 'string' } }) }
      const { Tool, Activity } = createRegistry({ tools })
      Activity.register('say', () => 'x'.repeat(100_000))
      const server = await serveStdio(Tool)
      await server.closed
      await server.close()
      console.error('in order')`
    const server = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
    const said = text(server.stderr)
    const ended = new Promise((resolve) => server.once('exit', resolve))
    const answered = new Promise<void>((resolve) => {
      let ends = 0
      const count = (chunk: unknown): void => {
        ends += String(chunk).split('\n').length - 1
        if (ends >= 40) resolve()
      }
      // By then the answers fill the pipe, and wait.
      setTimeout(() => server.stdout.on('data', count), 1_000)
    })
    const message = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'say', arguments: {} } }
    for (let id = 0; id < 40; id++) server.stdin.write(`${JSON.stringify({ ...message, id })}\n`)
    await answered
    // Its end never comes, and neither does that of the input.
    server.stdin.on('error', () => undefined).write('x'.repeat(11_000_000))
    expect(await ended).toBe(0)
    expect(await said).toMatch(/A message is longer than 10485760 bytes.*in order/s)
    expect(await said).not.toContain('MaxListeners')
  })

  test('SERVE-2 a result or progress that no client reads does not take the other answers along', async () => {
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const text = { type: 'string' }
      const tools = { say: tool('say', { _output: text }), pay: tool('pay', { _output: text }, { effects: 'write' }) }
      const { Tool, Activity } = createRegistry({ tools })
      // A result holds it twice: as text, and as data.
      Activity.register('say', (call, schema, context, run) => {
        run.emit('x'.repeat(11_000_000))
        return 'x'.repeat(5_500_000)
      })
      Activity.register('pay', async () => {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return 'paid'
      })
      await serveStdio(Tool, { onError: () => undefined })`
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(serverOf(script))
    await client.listTools()
    const [paid, said] = await Promise.all([
      client.callTool({ name: 'pay' }),
      client.callTool({ name: 'say' }, { onprogress: () => undefined }),
    ])
    expect(paid.structuredContent).toEqual({ result: 'paid' })
    expect(said.isError).toBe(true)
    expect(said.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(/carried out, but its result of 110\d+ bytes .*Do not repeat it/),
      },
    ])
    expect((await client.listTools()).tools).toHaveLength(2)
    await client.close()
  })

  test('a client that reads no more ends the server, and is no failure of it', async () => {
    const script = `
      import { createRegistry } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const server = await serveStdio(createRegistry().Tool)
      await server.closed
      await server.close()
      console.error('in order')`
    const server = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
    const said = text(server.stderr)
    server.stdout.destroy()
    server.stdin.on('error', () => undefined)
    const timer = setInterval(() => server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'), 50)
    expect(await said).toBe('in order\n')
    clearInterval(timer)
  })

  test('SERVE-6 the end of the input waits for no Call longer than `drainTime`', async () => {
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const { Tool, Activity } = createRegistry({ tools: { hang: tool('hang', {}) } })
      const server = await serveStdio(Tool, { limits: { drainTime: 1_500 } })
      Activity.register('hang', () => new Promise(() => setTimeout(() => undefined, 60_000)))
      await server.closed
      const closedAt = Date.now()
      await server.close()
      console.error(Date.now() - closedAt)
      process.exit(0)`
    const server = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: root })
    const said = text(server.stderr)
    const hang = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang', arguments: {} } }
    server.stdin.end(JSON.stringify(hang))
    expect(await text(server.stdout)).toContain('The server is closed')
    expect(Number(await said)).toBeLessThan(2_900)
  })

  test.each([
    ['is aborted, and answered', 'read'],
    ['goes on if it writes, and that is answered', 'write'],
  ])('SERVE-6 closing waits for no Call longer than `drainTime`: it %s', async (_, effects) => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const script = `
      import { createRegistry, tool } from 'callsheet'
      import { serveStdio } from 'callsheet/server'
      const tools = { hang: tool('hang', {}, { effects: '${effects}' }) }
      const { Tool, Activity } = createRegistry({ tools })
      const server = await serveStdio(Tool, { limits: { drainTime: 50 } })
      Activity.register('hang', async () => {
        void server.close().then(() => process.exit(0))
        await new Promise(() => setTimeout(() => undefined, 60_000))
      })`
    await client.connect(serverOf(script))
    const startedAt = Date.now()
    const answer = client.callTool({ name: 'hang' })
    const said =
      effects === 'write'
        ? /^interrupted: The server is closed. The Call goes on. Whether it did its work is not known/
        : /^aborted: The server is closed.$/
    expect((await answer).content).toEqual([{ type: 'text', text: expect.stringMatching(said) }])
    expect(Date.now() - startedAt).toBeLessThan(20_000)
    await client.close()
  })
})
