import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { readmeFiles, run, writeInto } from '../package/packed.ts'
import { installed, onNode24, root } from './pages.ts'

// Next reads nothing outside its project, so the app is in the folder where Next is installed.
const folder = join(import.meta.dirname, '.callsheet/next')
const next = join(import.meta.dirname, 'node_modules/next/dist/bin/next')

/** Creates the app of docs/interop/next.md with the quickstart's Tool, and installs the built package as npm would. */
function makeApp(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'node_modules/callsheet'), { recursive: true })
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/callsheet', part), { recursive: true })
  symlinkSync(join(root, 'node_modules/typebox'), join(folder, 'node_modules/typebox'), 'dir')
  const page = readmeFiles(readFileSync(join(root, 'docs/interop/next.md'), 'utf8'))
  const quickstart = readmeFiles(readFileSync(join(root, 'docs/quickstart.md'), 'utf8'))
  writeInto(folder, {
    ...page,
    'definitions/weather.ts': quickstart['definitions/weather.ts'] ?? '',
    'package.json': '{ "private": true, "type": "module" }',
    'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(import.meta.dirname)} } }`,
  })
}

let stop = (): void => undefined
afterAll(() => {
  stop()
  rmSync(folder, { recursive: true, force: true })
})

// Without Next (`npm run interop` installs it) this test is reported as skipped.
describe.skipIf(!installed)('SERVE-1 a Next app serves Tools as docs/interop/next.md says', () => {
  test('built, started and called', async () => {
    makeApp()
    const generated = run(folder, process.execPath, join(root, 'dist/cli.js'), 'generate', '--silent')
    expect(`${generated.code} ${generated.stderr}`).toBe('0 ')
    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const }
    const [command = '', ...node] = onNode24
    const build = run(folder, 'env', 'NEXT_TELEMETRY_DISABLED=1', command, ...node, next, 'build')
    expect(`${build.code} ${build.code === 0 ? '' : build.stdout + build.stderr}`).toBe('0 ')

    const args = [...node, next, 'start', '--port', '0', '--hostname', '127.0.0.1']
    const server = spawn(command, args, {
      cwd: folder,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // npx starts Node in a child process, so end the whole group.
    stop = () => void process.kill(-(server.pid ?? 0), 'SIGKILL')
    let url = ''
    for await (const line of createInterface({ input: server.stdout })) {
      url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
      if (line.includes('Ready')) break
    }
    const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}/weather${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    const called = await post('/tools/weatherCheck', { location: 'Oslo, Norway' })
    expect([called.status, await called.json()]).toEqual([200, { temperature: -3, conditions: 'clear' }])
    const refused = await post('/tools/weatherCheck', { location: 5 })
    expect([refused.status, await refused.json()]).toMatchObject([422, { problems: [{ path: '/location' }] }])
    const events = await post(
      '/calls',
      { _tool: 'weatherCheck', location: 'Oslo, Norway' },
      { accept: 'text/event-stream' },
    )
    expect(await events.text()).toMatch(/^event: outcome\n[\s\S]*event: result\n/)
    const foreign = await fetch(`${url}/weather/tools`, { headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    const exited = once(server, 'exit')
    stop()
    await exited
    stop = () => undefined
  })
})
