import { resolve } from 'node:path'
import { GeneratorError } from '../generator-error.ts'
import type { Workbench } from '../studio/bench/workbench.ts'
import type { RunFolder } from '../studio/runs/run-folder.ts'
import { statIfPresent } from '../write/file-system.ts'
import type { Command, Given } from './command.ts'
import { configOptions } from './config-options.ts'
import { headersOf, requireUrlFor } from './header-option.ts'
import { listen, portOf, untilAborted } from './listen.ts'
import { openInBrowser } from './open-in-browser.ts'
import { serverOptionsOf } from './server-options.ts'
import { type ExitCode, exitCode, type Terminal } from './terminal.ts'

export const studioCommand: Command = {
  about: `Opens a page to inspect the Tools of this project and run Calls: a form for each Tool, its schema in each dialect,
losses and token costs. Only this machine can connect; the printed address contains a token, which is new for each
start. Calls run there are real. Ctrl-C stops it.`,
  options: {
    port: { type: 'string', value: 'N', help: 'The port. Default: a free one.' },
    open: { type: 'boolean', help: 'Open the page in the default browser.' },
    url: {
      type: 'string',
      value: 'URL',
      help: 'Show the Tools of a server (callsheet serve) instead of this project.',
    },
    header: {
      type: 'string',
      value: 'NAME:VALUE',
      help: 'With --url: a header, such as "authorization: Bearer …".',
    },
    options: {
      type: 'string',
      value: 'FILE',
      help: 'A module as for `serve`; "run" of its default export applies to every Call.',
    },
    runs: {
      type: 'string',
      value: 'DIR',
      help: 'A folder with recorded runs (agent logs, Vessels, results), followed as it grows.',
    },
    set: {
      type: 'string',
      value: 'DIR',
      help: 'The set of Tools to use, by its output folder, if there are several.',
    },
  },
  examples: [
    ['callsheet studio --open', 'to look at this project'],
    ['callsheet studio --runs runs', 'to look at what agents did and are doing'],
    ['callsheet studio --url http://127.0.0.1:3000', 'to look at a server that runs'],
  ],
  run: studio,
}

async function studio(given: Given, terminal: Terminal): Promise<ExitCode> {
  const port = portOf(given.values.get('port'), 0)
  const [bench, { studioServer }, { makeToken }] = await Promise.all([
    benchOf(given, terminal),
    import('../studio/server/studio-server.ts'),
    import('../studio/server/token.ts'),
  ])
  const token = makeToken()
  const signal = terminal.interruptible()
  const fetch = studioServer({
    bench,
    token,
    runs: await runsOf(given, terminal),
    signal,
    onError: (error) => terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`),
  })
  const server = await listen(fetch, { host: '127.0.0.1', port })
  // The token is in the fragment, which browsers neither send nor log.
  const address = `${server.url}/#token=${token}`
  terminal.out(`${address}\n`)
  const isOpen = given.flags.has('open') && (await openInBrowser(address))
  const next = given.flags.has('open') && !isOpen ? 'No browser could be opened: open the address.' : ''
  terminal.err(
    `${bench.tools.length} ${bench.tools.length === 1 ? 'tool' : 'tools'} of ${bench.place}. ${next || 'Ctrl-C ends it.'}\n`,
  )
  await untilAborted(signal)
  server.close()
  server.drop()
  return exitCode.ok
}

async function runsOf(given: Given, terminal: Terminal): Promise<RunFolder | undefined> {
  const folder = given.values.get('runs')
  if (folder === undefined) return undefined
  const path = resolve(configOptions(given, terminal).cwd ?? terminal.cwd, folder)
  const { RunFolder } = await import('../studio/runs/run-folder.ts')
  if (statIfPresent(path)?.isDirectory()) return new RunFolder(path)
  throw new GeneratorError('invalid_usage', [
    { message: `There is no folder ${folder} with runs.`, fix: 'Correct --runs, or make the folder.' },
  ])
}

async function benchOf(given: Given, terminal: Terminal): Promise<Workbench> {
  const url = given.values.get('url')
  if (url === undefined) requireUrlFor(given.values.get('header'))
  const config = configOptions(given, terminal)
  if (url !== undefined) {
    const [{ servedBench }, { ServerClient }] = await Promise.all([
      import('../studio/bench/served-bench.ts'),
      import('../remote/server-client.ts'),
    ])
    const client = new ServerClient(url, headersOf(given.values.get('header')))
    return servedBench(client, resolve(terminal.cwd, config.cwd ?? '.'), (name, why) =>
      terminal.err(`The Tool "${name}" of ${client.base} is left out. ${why}\n`),
    )
  }
  const file = given.values.get('options')
  const output = given.values.get('set')
  const { projectBench } = await import('../studio/bench/project-bench.ts')
  return projectBench(
    { ...config, ...(file !== undefined && { files: [file] }), ...(output !== undefined && { output }) },
    (exports) => serverOptionsOf(file, exports).run ?? {},
  )
}
