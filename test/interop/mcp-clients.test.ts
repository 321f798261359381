import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshFolder, run } from '../package/packed.ts'
import { installed, onNode24, root } from './pages.ts'
import { overStdio, serveOverHttp } from './serving.ts'

const here = import.meta.dirname

/** The answers that a client received; see `clients/conversation.mjs`. */
interface Answers {
  readonly listed: readonly { readonly name: string; readonly annotations?: object }[]
  readonly bold: object
  readonly found: object
  readonly refused: object
  readonly unknown: object
}

const tools = [
  'PhraseEmphasis__bold',
  'PhraseEmphasis__italic',
  'appendNote',
  'fileStats',
  'readLine',
  'searchText',
  'sentiment',
]
const everyProblem =
  /^invalid_call: .*\/query: expected a string of at least 1 character, got ""; \/where\/folder: expected a string, got 5\.$/

// Without the SDKs (`npm run interop` installs them) these tests are reported as skipped.
describe.skipIf(!installed)('SERVE-2 MCP clients of other vendors list and call the sample', () => {
  let url = ''
  beforeAll(async () => {
    url = await serveOverHttp()
  })

  describe.each(['stdio', 'HTTP'])('over %s', (transport) => {
    const server = (): readonly string[] => (transport === 'stdio' ? overStdio : [`${url}/mcp`])

    test.each([
      ['MCP SDK 1', 'sdk-v1', { result: '**hi**' }],
      ['MCP SDK 2', 'sdk-v2', '**hi**'],
    ])('%s', (_, client, structuredContent) => {
      const ran = run(root, process.execPath, join(here, 'clients', `${client}.mjs`), ...server())
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      const { listed, bold, found, refused, unknown } = JSON.parse(ran.stdout) as Answers
      expect(listed.map(({ name }) => name)).toEqual(tools)
      expect(listed[0]).toMatchObject({ annotations: { readOnlyHint: true, destructiveHint: false } })
      expect(bold).toMatchObject({ content: [{ type: 'text', text: '**hi**' }], structuredContent })
      expect(JSON.stringify(found)).toContain('glaciers.txt')
      expect(refused).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: expect.stringMatching(everyProblem) }],
      })
      expect(unknown).toMatchObject({ thrown: expect.stringContaining('There is no tool "constructor".') })
    })

    describe.each(['legacy', 'modern'])('the Inspector, in its %s era', (era) => {
      const inspect = (...args: readonly string[]) => {
        const [command = '', ...node] = onNode24
        const launcher = join(
          here,
          'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
        )
        const target =
          transport === 'stdio' ? ['--', ...overStdio] : ['--transport', 'http', '--server-url', `${url}/mcp`]
        return run(root, command, ...node, launcher, '--cli', '--protocol-era', era, ...args, ...target)
      }

      test('lists the Tools and accepts their schemas', () => {
        const ran = inspect('--method', 'tools/list', '--strict')
        expect(ran.code).toBe(0)
        expect(ran.stderr.replaceAll(/^npm warn.*\n/gm, '')).toBe('')
        const listed = JSON.parse(ran.stdout) as { tools: { name: string }[] }
        expect(listed.tools.map(({ name }) => name)).toEqual(tools)
      })

      test('GEN-10 `callsheet import -` accepts its list', () => {
        const { stdout } = inspect('-q', '--method', 'tools/list')
        const folder = freshFolder({ 'package.json': '{ "type": "module" }' })
        const args = [join(root, 'dist/cli.js'), 'import', '-', '--silent']
        const ran = spawnSync(process.execPath, args, { cwd: folder, input: stdout, encoding: 'utf8' })
        expect(ran.status).toBe(0)
        expect(readdirSync(join(folder, 'definitions'))).toHaveLength(tools.length)
      })

      test('calls a Tool; a refusal lists every problem', () => {
        const call = (tool: string, args: object) =>
          inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args))
        const bold = call('PhraseEmphasis__bold', { phrase: 'hi' })
        expect(bold.code).toBe(0)
        expect(JSON.parse(bold.stdout)).toMatchObject({ content: [{ type: 'text', text: '**hi**' }] })
        const refused = call('searchText', { query: '', where: { folder: 5 } })
        // 5 is the Inspector's exit code for a tool that reports a failure.
        expect(refused.code).toBe(5)
        expect(JSON.parse(refused.stdout)).toMatchObject({
          isError: true,
          content: [{ text: expect.stringMatching(everyProblem) }],
        })
      })
    })
  })
})
