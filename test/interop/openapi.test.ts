import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createRegistry } from 'callsheet'
import { toolServer } from 'callsheet/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeTools, randomSource, toolSchema, validValue } from '../../bench/corpus.mjs'
import type { ToolSchema } from '../../runtime/schema/schema.ts'
import { mcpServerTools } from '../data/mcp-server.ts'
import { freshFolder, run } from '../package/packed.ts'
import { listen } from '../unit/runtime/server/serving.ts'
import { described } from './openapi-schemas.ts'
import { installed, root } from './pages.ts'
import { serveOverHttp } from './serving.ts'

/** Runs a command asynchronously, because the server in this process has to answer it. */
const execute = promisify(execFile)

const modules = join(import.meta.dirname, 'node_modules')

/** Validates the OpenAPI document of a server. */
function validated(file: string): unknown {
  const ran = run(root, process.execPath, join(import.meta.dirname, 'clients/validate-openapi.mjs'), file)
  expect(ran.stderr).toBe('')
  return JSON.parse(ran.stdout)
}

/** Generates types from a server's document, compiles a client with them, and runs it. */
async function clientOf(
  url: string,
  source: string,
): Promise<{ folder: string; stdout: string; stderr: string }> {
  const document = await (await fetch(`${url}/openapi.json`)).text()
  const folder = freshFolder({
    'openapi.json': document,
    'client.ts': source,
    'package.json': '{ "private": true, "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom', 'dom.iterable'],
        module: 'nodenext',
        strict: true,
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
        outDir: 'out',
        rootDir: '.',
      },
      files: ['client.ts', 'openapi.ts'],
    }),
  })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(modules, name), join(folder, 'node_modules', name), 'dir')
  const generator = join(modules, 'openapi-typescript/bin/cli.js')
  const generated = run(folder, process.execPath, generator, 'openapi.json', '-o', 'openapi.ts')
  expect(`${generated.code} ${generated.stderr}`).toBe('0 ')
  const compiled = run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
  expect(compiled.stdout).toBe('')
  return { folder, ...(await execute(process.execPath, ['out/client.js', url], { cwd: folder })) }
}

// Without the packages (`npm run interop` installs them) these tests are reported as skipped.
describe.skipIf(!installed)(
  'SERVE-3 the OpenAPI document is valid, and clients can be generated from it',
  () => {
    let url = ''
    beforeAll(async () => {
      url = await serveOverHttp()
    })

    test('of the sample', async () => {
      const source = readFileSync(join(import.meta.dirname, 'fixtures/sample-client.ts'), 'utf8')
      const { folder, stdout, stderr } = await clientOf(url, source)
      expect(validated(join(folder, 'openapi.json'))).toEqual(['valid'])
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual({
        text: '**hi**',
        line: 3,
        code: 'invalid_call',
        problems: ['/query'],
        unknown: 404,
      })
    })

    test('of schemas of every kind', async () => {
      const random = randomSource(11)
      const made = makeTools(40).map((tool) => ({
        ...tool,
        sent: validValue(tool.parameters, random) as object,
        answer: validValue(tool.output, random),
      }))
      const byHand = Object.entries(described).map(([name, { parameters, ...more }]) => ({
        name,
        description: name,
        parameters,
        ...more,
      }))
      const tools = [...made, ...byHand]
      const { Tool, Activity } = createRegistry()
      const listed = mcpServerTools().map(({ inputSchema, ...more }) => ({
        ...more,
        parameters: inputSchema,
      }))
      for (const tool of [...tools, ...listed]) Tool.register(tool.name, toolSchema(tool) as ToolSchema)
      for (const { name, answer } of tools) Activity.register(name, async () => answer)
      const served = await listen(toolServer(Tool, { limits: { drainTime: 100 } }))
      const { folder, stdout, stderr } = await clientOf(served, clientSource(tools))
      expect(validated(join(folder, 'openapi.json'))).toEqual(['valid'])
      expect(stderr).toBe('')
      for (const [index, { name, answer }] of tools.entries()) {
        const line = JSON.parse(stdout.split('\n')[index] ?? '') as object
        expect(line).toEqual({
          name,
          status: answer === undefined ? 204 : 200,
          ...(answer !== undefined && { data: answer }),
        })
      }
    })
  },
)

/** Returns the source of a client that calls each Tool once with literal parameters. */
function clientSource(tools: readonly { readonly name: string; readonly sent: object }[]): string {
  const calls = tools.map(
    ({ name, sent }) =>
      `show(${JSON.stringify(name)}, await client.POST(${JSON.stringify(`/tools/${name}`)}, { body: ${JSON.stringify(sent)} }))`,
  )
  return `import createClient from 'openapi-fetch'
import type { paths } from './openapi.js'

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' })
function show(name: string, { data, error, response }: { data?: unknown; error?: unknown; response: Response }): void {
  console.log(JSON.stringify({ name, status: response.status, ...(response.status === 200 && { data }), error }))
}
${calls.join('\n')}
`
}
