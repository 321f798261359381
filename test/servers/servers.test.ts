import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshFolder, run } from '../package/packed.ts'

const here = import.meta.dirname
const root = fileURLToPath(new URL('../..', import.meta.url))
const isThere = existsSync(join(here, 'node_modules'))

/** What a user writes to call the servers, by docs/command-line.md; names have a prefix, since several servers share them. */
const callServer = `
import type { Client } from '@modelcontextprotocol/client'
import { type Activities, Activity, tools } from './generated/index.js'

export function callServer(client: Client, prefix: string): void {
  const ofServer = (Object.keys(tools) as (keyof Activities)[]).filter((name) => name.startsWith(\`\${prefix}.\`))
  for (const name of ofServer) {
    Activity.register(name, async (call, _schema, _context, run) => {
      const { _tool, _activity, _reasoningForCall, _outputPath, ...parameters }: Record<string, unknown> = { ...call }
      const given = { name: name.slice(prefix.length + 1), arguments: parameters }
      const answer = await client.callTool(given, { signal: run.signal })
      if (answer.isError) throw new Error(JSON.stringify(answer.content))
      return (answer.structuredContent ?? answer.content) as never
    })
  }
}
`

// Without the servers (`npm run servers` installs them) these tests are reported as skipped.
describe.skipIf(!isThere)('GEN-10 tools of servers in use', () => {
  const inUse = readFileSync(join(here, 'in-use.json'), 'utf8')
  const prefixes = (JSON.parse(inUse) as { readonly prefix: string }[]).map(({ prefix }) => prefix)
  let folder = ''
  let files = ''
  const node = (...args: readonly string[]) => run(folder, process.execPath, ...args)
  const callsheet = (...args: readonly string[]) => node(join(root, 'dist/cli.js'), ...args)
  const listOf = (prefix: string) =>
    JSON.parse(readFileSync(join(folder, `${prefix}.json`), 'utf8')).tools as readonly {
      readonly name: string
    }[]

  beforeAll(() => {
    const compilerOptions = {
      ...{ target: 'es2023', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
      ...{ noUncheckedIndexedAccess: true, types: ['node'], outDir: 'out', rootDir: '.' },
    }
    folder = freshFolder({
      'package.json': '{ "name": "servers-in-use", "private": true, "type": "module" }',
      'callsheet.config.mjs': "export default { activities: 'same-name', meta: { _outputPath: true } }",
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['*.ts', 'definitions', 'generated'] }),
      'call-server.ts': callServer,
    })
    files = freshFolder({ 'note.txt': 'from a file' })
    link('callsheet', root)
    for (const name of ['typebox', '@types']) link(name, join(root, 'node_modules', name))
    link('@modelcontextprotocol', join(here, 'node_modules/@modelcontextprotocol'))
  })

  test('each lists its tools', () => {
    expect(node(join(here, 'list-tools.mjs'), folder, files)).toMatchObject({ code: 0, stderr: '' })
    for (const prefix of prefixes) expect(listOf(prefix).length, prefix).toBeGreaterThan(0)
  })

  test('all are imported, each tool as a definition', () => {
    for (const prefix of prefixes) {
      const imported = callsheet('import', `${prefix}.json`, '--prefix', prefix)
      expect(imported, prefix).toMatchObject({ code: 0 })
    }
    const all = prefixes.flatMap(listOf)
    expect(readdirSync(join(folder, 'definitions'))).toHaveLength(all.length)
  })

  test('generate, and a second time without a change', () => {
    expect(callsheet('generate', '--silent')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(callsheet('generate', '--check')).toMatchObject({ code: 0 })
  })

  test('tsc', () => {
    expect(node(join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  test('what is accepted is what Ajv and the server accept, and values come back from every dialect', () => {
    const { stdout, stderr } = run(
      root,
      process.execPath,
      '--import',
      'tsx',
      join(here, 'verdicts.ts'),
      folder,
    )
    expect(stderr).toBe('')
    const { counts, differences } = JSON.parse(stdout)
    expect(differences).toEqual([])
    expect(counts.accepted).toBeGreaterThan(1_000)
  })

  test('Calls run there: outputs are checked, failures are theirs, and a plan passes one output on to another server', () => {
    const path = join(files, 'note.txt')
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] }
    const calls = [
      { _tool: 'everything.get-sum', a: 1, b: 2 },
      { _tool: 'everything.get-structured-content', location: 'New York' },
      { _tool: 'everything.get-structured-content', location: 'Oslo' },
      { _tool: 'memory.create_entities', entities: [entity] },
      { _tool: 'memory.read_graph' },
      { _tool: 'filesystem.read_text_file', path: '/etc/hostname' },
      { _tool: 'filesystem.read_text_file', path, _outputPath: 'note' },
      { _tool: 'everything.echo', message: '†state.note.content' },
    ]
    const ran = node(join(here, 'run-calls.mjs'), folder, files, JSON.stringify(calls))
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { output: [{ text: 'The sum of 1 and 2 is 3.' }] },
      { output: { temperature: expect.any(Number) } },
      { status: 'failed', attempts: 0, error: { code: 'invalid_call', problems: [{ path: '/location' }] } },
      { output: { entities: [entity] } },
      { output: { entities: [entity], relations: [] } },
      {
        status: 'failed',
        error: { code: 'activity_failed', message: expect.stringContaining('Access denied') },
      },
      { output: { content: 'from a file' } },
      { output: [{ text: 'Echo: from a file' }] },
    ])
  })

  function link(name: string, target: string): void {
    const path = join(folder, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(target, path, 'dir')
  }
})
