import { resolve } from 'node:path'
import { isLoopback } from '../../runtime/server/gate.ts'
import type { ToolServerOptions } from '../../runtime/server/tool-handler.ts'
import { GeneratorError } from '../generator-error.ts'
import type { LoadedProject } from '../project/load-project.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { cannotListen, portOf, untilAborted } from './listen.ts'
import { logCalls } from './log-calls.ts'
import { LogFile } from './log-file.ts'
import { serverOptionsOf } from './server-options.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

const defaultPort = 3000
const defaultHost = '127.0.0.1'

export const serveCommand: Command = {
  about: `Serves the Tools of this project to other programs: over HTTP (POST /calls, POST /tools/NAME, GET /tools,
GET /openapi.json, GET /health) and MCP (/mcp); or, with --stdio, over MCP on standard input and output. Loads the
generated registry and every file that registers an Activity. By default only this machine can connect.
Ctrl-C stops it after the running Calls have ended.`,
  options: {
    port: { type: 'string', value: 'N', help: `The port; 0 picks a free one. Default: ${defaultPort}.` },
    host: {
      type: 'string',
      value: 'ADDRESS',
      help: `The address to listen on. Default: ${defaultHost}. Any other requires --options with "authorize".`,
    },
    stdio: { type: 'boolean', help: 'Speak MCP on standard input and output.' },
    name: { type: 'string', value: 'NAME', help: 'The name of the server for clients. Default: callsheet.' },
    options: {
      type: 'string',
      value: 'FILE',
      help: 'A module with the options of toolServer as its default export: authorize, hosts, limits, store.',
    },
    log: {
      type: 'string',
      value: 'FILE',
      help: 'Append every Call with its Outcome to this file, one JSON line each, for callsheet studio --runs.',
    },
    set: {
      type: 'string',
      value: 'DIR',
      help: 'The set of Tools to use, by its output folder, if there are several.',
    },
  },
  examples: [
    ['callsheet serve', 'to try Tools over HTTP on http://127.0.0.1:3000'],
    ['callsheet serve --stdio', 'as the command of an MCP client'],
    ['callsheet serve --host 0.0.0.0 --options server.ts', 'for other machines; server.ts says who may call'],
  ],
  run: serve,
}

async function serve(given: Given, terminal: Terminal): Promise<ExitCode> {
  refuseAddressOfStdio(given)
  const host = given.values.get('host') ?? defaultHost
  const port = portOf(given.values.get('port'), defaultPort)
  const file = given.values.get('options')
  const { loadProject } = await import('../project/load-project.ts')
  const output = given.values.get('set')
  const project = await loadProject({
    ...configOptions(given, terminal),
    ...(file !== undefined && { files: [file] }),
    ...(output !== undefined && { output }),
  })
  const options = optionsOf(given, file, project)
  const log = given.values.get('log')
  if (log !== undefined) {
    const path = resolve(configOptions(given, terminal).cwd ?? terminal.cwd, log)
    const lines = new LogFile(path, log, terminal.err)
    logCalls(project.Tool, (event) => lines.add(JSON.stringify(event)))
  }
  if (given.flags.has('stdio')) return serveOverStdio(project, options, terminal)
  if (!isLoopback(host) && !options.authorize) {
    throw new GeneratorError('invalid_usage', [
      {
        message: `Listening on ${host} lets other machines call these Tools, and nothing says who may.`,
        fix: 'Name a module with --options whose default export has "authorize" and "hosts", or leave --host out.',
      },
    ])
  }
  return serveOverHttp(project, options, { host, port }, terminal)
}

function refuseAddressOfStdio({ flags, values }: Given): void {
  const named = ['port', 'host'].filter((name) => flags.has('stdio') && values.has(name))
  if (named.length === 0) return
  throw new GeneratorError(
    'invalid_usage',
    named.map((name) => ({
      message: `Option --${name} has no meaning with --stdio, which listens nowhere.`,
      fix: `Leave out --${name} or --stdio.`,
    })),
  )
}

function optionsOf(given: Given, file: string | undefined, project: LoadedProject): ToolServerOptions {
  const name = given.values.get('name')
  return { ...serverOptionsOf(file, project.exports), ...(name !== undefined && { name }) }
}

async function serveOverStdio(
  { Tool }: LoadedProject,
  { name, version, instructions, openWorld, limits, run, onError }: ToolServerOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { serveStdio } = await import('../../runtime/server/serve-stdio.ts')
  const interrupted = terminal.interruptible()
  const server = await serveStdio(Tool, {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(instructions !== undefined && { instructions }),
    ...(openWorld !== undefined && { openWorld }),
    ...(limits && { limits }),
    ...(run && { run }),
    ...(onError && { onError }),
    output: (text) => terminal.out(text),
  })
  await Promise.race([server.closed, untilAborted(interrupted)])
  await server.close()
  return exitCode.ok
}

async function serveOverHttp(
  { Tool, activityFiles }: LoadedProject,
  options: ToolServerOptions,
  { host, port }: { host: string; port: number },
  terminal: Terminal,
): Promise<ExitCode> {
  const { serveHttp } = await import('../../runtime/server/serve-http.ts')
  const interrupted = terminal.interruptible()
  const server = await serveHttp(Tool, { ...options, host, port }).catch((error: unknown) => {
    throw cannotListen(error, host, port)
  })
  const from =
    activityFiles.length === 0 ? 'no Activity is registered' : `Activities from ${activityFiles.join(', ')}`
  terminal.out(`${server.url}\n`)
  const { loadMcpSdk } = await import('../../runtime/server/load-mcp-sdk.ts')
  const mcp = await loadMcpSdk().then(
    () => 'MCP at /mcp',
    () => 'MCP after npm install @modelcontextprotocol/server',
  )
  const { length } = Tool.names
  terminal.err(
    `${length} ${length === 1 ? 'tool' : 'tools'}, ${from}. OpenAPI at /openapi.json, ${mcp}. Ctrl-C ends it.\n`,
  )
  await untilAborted(interrupted)
  await server.close()
  return exitCode.ok
}
