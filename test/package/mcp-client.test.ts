import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { freshFolder, pack, readmeFiles, run } from './packed.ts'

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The configuration of a client on the page. */
const [, configuration = ''] = /```json\n(\{\n {2}"mcpServers"[\s\S]*?)```/.exec(pageOf('serving')) ?? []

/** The requests of a client of MCP, a line each. */
const asked = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]

test('SERVE-2 the configuration of docs/serving.md starts the server from any folder', () => {
  const folder = freshFolder({ 'package.json': '{ "type": "module" }', ...readmeFiles(pageOf('quickstart')) })
  const others = ['esbuild', 'typebox', '@modelcontextprotocol/server']
  const packages = [pack(), ...others.map((name) => `${name}@${devDependencies[name]}`)]
  expect(run(folder, 'npm', 'install', ...packages)).toMatchObject({ code: 0 })
  expect(run(folder, 'npx', 'callsheet', 'generate')).toMatchObject({ code: 0 })
  const { command, args } = JSON.parse(configuration.replaceAll('/path/to/project', folder)).mcpServers
    .weather
  const input = asked.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join('')
  const { stdout, stderr } = spawnSync(command, args, { cwd: tmpdir(), encoding: 'utf8', input })
  const answers = stdout.trim().split('\n')
  expect(answers, stderr).toHaveLength(2)
  const { result } = JSON.parse(answers[1] ?? '')
  expect(result.tools.map(({ name }: { name: string }) => name)).toContain('weatherCheck')
})
