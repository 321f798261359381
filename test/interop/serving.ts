import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import { sampleProject } from '../sample-project.ts'
import { root } from './pages.ts'

const sample = sampleProject()

/** The command with which a client starts `callsheet serve --stdio` on the sample. */
export const overStdio: readonly string[] = [
  process.execPath,
  join(root, 'dist/cli.js'),
  'serve',
  '--stdio',
  '--cwd',
  sample,
]

const servers: ChildProcess[] = []
afterAll(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL')
})

/** Starts `callsheet serve` on a project, by default the sample. @returns Its address. */
export async function serveOverHttp(folder = sample, ...args: readonly string[]): Promise<string> {
  const command = [join(root, 'dist/cli.js'), 'serve', '--port', '0', '--cwd', folder, ...args]
  const server = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  servers.push(server)
  const [url] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  return url
}
