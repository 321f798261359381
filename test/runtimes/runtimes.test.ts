import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { freshFolder, pack, type Ran, readmeFiles, run, writeInto } from '../package/packed.ts'

const installed = join(import.meta.dirname, 'node_modules')
/** The packages contain the binaries. Their install scripts, which only move them, do not run. */
const bun = binary('@oven', 'bin/bun')
const deno = binary('@deno', 'deno')
const workerd = binary('@cloudflare', 'bin/workerd')
const edge = readFileSync(new URL('../../docs/edge-runtimes.md', import.meta.url), 'utf8')
const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('## Quickstart'), page.indexOf('## Documentation'))
const printed = /^```text\n([\s\S]*?)^```$/m.exec(section)?.[1]

/** Imports end in `.js`, as Node requires for compiled code. Deno needs a flag to find the sources. */
const runtimes = [
  ['Bun', bun, ['run', '--bun']],
  ['Deno', deno, ['run', '--allow-all', '--sloppy-imports', '--no-remote']],
] as const

describe.each(runtimes)('%s', (_name, program, options) => {
  const isInstalled = program !== undefined
  let folder = ''
  const follow = (...args: string[]): Ran => run(folder, program ?? '', ...options, ...args)

  beforeAll(() => {
    if (!isInstalled) return
    folder = freshFolder({ 'package.json': '{"type":"module"}\n' })
    const ran = run(folder, 'npm', 'install', '--ignore-scripts', pack(), ...versions())
    expect(ran).toMatchObject({ code: 0 })
    writeInto(folder, readmeFiles(section))
  })

  test.skipIf(!isInstalled)('GEN-3 generates what Node generates', () => {
    expect(follow('node_modules/callsheet/dist/cli.js', 'generate')).toMatchObject({ code: 0 })
    expect(run(folder, 'npx', 'callsheet', 'generate', '--check')).toMatchObject({ code: 0 })
  })

  test.skipIf(!isInstalled)('runs the quickstart of the README', () => {
    expect(run(folder, 'npx', 'callsheet', 'generate')).toMatchObject({ code: 0 })
    expect(follow('main.ts')).toMatchObject({ code: 0, stdout: printed, stderr: '' })
  })

  test.skipIf(!isInstalled)('runs an agent: a wrong Call is told to the model and costs no other', () => {
    expect(run(folder, 'npx', 'callsheet', 'generate')).toMatchObject({ code: 0 })
    writeInto(folder, { 'agent-main.ts': agentMain })
    expect(follow('agent-main.ts')).toMatchObject({ code: 0, stdout: 'told ["succeeded","invalid_call"]\n' })
  })

  test.skipIf(!isInstalled)('a worker of docs/edge-runtimes.md says 400 to what is no Call', () => {
    expect(run(folder, 'npx', 'callsheet', 'generate')).toMatchObject({ code: 0 })
    const worker = edge.slice(edge.indexOf('import { isCallsheetError }')).split('```')[0] ?? ''
    writeInto(folder, { 'worker.ts': worker, 'ask-worker.ts': askWorker })
    expect(follow('ask-worker.ts')).toMatchObject({ code: 0, stdout: '200 400 400\n' })
  })
})

const askWorker = `import worker from './worker.js'

const bodies = ['{"_tool":"weatherCheck","location":"Oslo"}', 'no JSON', '[]']
const asked = bodies.map((body) => worker.fetch(new Request('http://worker/', { method: 'POST', body })))
console.log((await Promise.all(asked)).map(({ status }) => status).join(' '))
`

const agentMain = `import './activities.js'
import { Agent } from 'callsheet/agent'
import { scriptedModel } from 'callsheet/testing'
import { calls, Tool } from './generated/index.js'

const model = scriptedModel([
  { calls: [calls.weatherCheck({ location: 'Oslo' }), { _tool: 'weatherCheck', location: 5 }] },
  ({ body }) => ({ output: JSON.stringify(body).includes('/location: expected') ? 'told' : 'not told' }),
])
const { output, outcomes } = await Agent<string>({ model: 'm', client: model, tools: Tool, output: { type: 'string' } })
console.log(output, JSON.stringify(outcomes.map(({ status, error }) => error?.code ?? status)))
`

describe('workerd', () => {
  test.skipIf(workerd === undefined)(
    'serves Tools as docs/edge-runtimes.md says, over HTTP and MCP',
    async () => {
      const folder = freshFolder({ 'package.json': '{"type":"module"}\n' })
      const installs = run(
        folder,
        'npm',
        'install',
        '--ignore-scripts',
        pack(),
        ...versions('@modelcontextprotocol/server'),
      )
      expect(installs).toMatchObject({ code: 0 })
      const port = await freePort()
      writeInto(folder, {
        ...readmeFiles(section),
        'worker.ts': edge.slice(edge.indexOf('import { toolServer }')).split('```')[0] ?? '',
        'config.capnp': workerdConfig(port),
      })
      expect(run(folder, 'npx', 'callsheet', 'generate')).toMatchObject({ code: 0 })
      const bundled = run(
        folder,
        'npx',
        'esbuild',
        'worker.ts',
        '--bundle',
        '--format=esm',
        '--outfile=worker.js',
      )
      expect(bundled).toMatchObject({ code: 0 })

      const server = spawn(workerd ?? '', ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' })
      onTestFinished(() => void server.kill())
      const ask = async (path: string, body?: unknown): Promise<string> => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: {
            authorization: 'Bearer secret',
            'content-type': 'application/json',
            accept: path === '/mcp' ? 'application/json, text/event-stream' : 'application/json',
          },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        })
        return response.text()
      }
      await vi.waitFor(() => ask('/health'), { timeout: 10_000 })
      expect(await ask('/tools/weatherCheck', { location: 'Oslo' })).toBe(
        '{"temperature":-3,"conditions":"clear"}',
      )
      const call = { call: { _tool: 'weatherCheck', location: 'Lima' }, id: 'once' }
      const [one, other] = await Promise.all([ask('/calls', call), ask('/calls', call)])
      expect(JSON.parse(one)).toMatchObject({ id: 'once', status: 'succeeded', output: { temperature: 21 } })
      expect(other).toBe(one)
      const params = { name: 'weatherCheck', arguments: { location: 'Oslo' } }
      expect(await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toContain(
        '"temperature":-3',
      )
    },
  )
})

function workerdConfig(port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
);
`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

function versions(...more: string[]): string[] {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return ['typebox', 'esbuild', ...more].map((name) => `${name}@${devDependencies[name]}`)
}

/** Returns the binary in a scope's only installed package; undefined if there is none for this machine. */
function binary(scope: string, path: string): string | undefined {
  const folder = join(installed, scope)
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .map((name) => join(folder, name, path))
    .find((file) => existsSync(file))
}
