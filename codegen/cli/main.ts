#!/usr/bin/env node
import { Console } from 'node:console'
import { buffer } from 'node:stream/consumers'
import { GeneratorError } from '../generator-error.ts'
import { observeRunningFile } from '../load/running-file.ts'
import { thrownText } from '../load/thrown-text.ts'
import { definitionLimit } from '../load/within-limit.ts'
import { faultReport, formatAskedFor } from './fault-report.ts'
import { oldNode } from './old-node.ts'
import { decodeText } from './read-text.ts'
import { run } from './run.ts'
import { wantsColours } from './style.ts'
import { exitCode, type Terminal } from './terminal.ts'
import { visibleControls } from './visible-controls.ts'
import { startWatchdog } from './watchdog.ts'

// Definitions are code and may print anything. Standard output is reserved for data, so redirect the rest.
const writeData = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
globalThis.console = new Console(process.stderr)

// `callsheet generate --check --diff | head` closes the pipe early, which is not a failure.
let isDataLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isDataLost) return
  isDataLost = true
  const message = `Standard output cannot be written: ${error.message}.`
  const fix = 'Free space at the destination and run it again: the output is incomplete.'
  faultReport(new GeneratorError('cannot_write', [{ message, fix }]), undefined, terminal)
})
// Nobody reads standard error any more: there is nobody to report it to, and a server keeps running.
process.stderr.on('error', () => {})

function interruptible(): AbortSignal {
  const interruption = new AbortController()
  // `SIGHUP`: the terminal was closed. `once`: a second Ctrl-C ends the process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interruption.abort())
  return interruption.signal
}

async function ask(question: string): Promise<string> {
  const { askIn } = await import('./ask.ts')
  return askIn(process.stdin, process.stderr, question, true)
}

const terminal: Terminal = {
  cwd: process.cwd(),
  repository: process.env.GITHUB_WORKSPACE || undefined,
  startedBy: process.env.npm_config_user_agent,
  // A pipe receives the text unchanged.
  out: (part) => void writeData(process.stdout.isTTY ? visibleControls(part) : part),
  err: (part) => void process.stderr.write(visibleControls(part)),
  colours: wantsColours({ isTTY: process.stderr.isTTY === true, env: process.env }),
  readInput: async () => decodeText(await buffer(process.stdin), 'standard input'),
  interruptible,
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
}

// A definition that ends the process, or awaits something that never settles, must not look like success.
const format = formatAskedFor(process.argv.slice(2))
let finished = false
let running: string | undefined
let watchdog: ((file: string | undefined) => void) | undefined
observeRunningFile((file) => {
  running = file
  watchdog ??= startWatchdog({ warnAfter: 5_000, endAfter: definitionLimit + 5_000, format })
  watchdog(file)
})
function report(message: string, fix: string): void {
  faultReport(new GeneratorError('cannot_read', [{ message, fix }]), format, terminal)
}

function reportEnd(): void {
  if (finished) return
  finished = true
  const message = `${running ?? 'A definition, the configuration or an Activity'} ended the process, or awaits something that never settles.`
  const fix = 'Remove process.exit() and top-level awaits on servers or timers from what is loaded.'
  report(message, fix)
  process.exitCode = exitCode.fault
}
process.on('exit', reportEnd)

// `process.exit` calls this last. A direct call by a definition would end the process silently, as a success.
const ending = process as typeof process & { reallyExit(code?: number | string | null): never }
const reallyExit = ending.reallyExit.bind(process)
ending.reallyExit = (code) => {
  reportEnd()
  return reallyExit(process.exitCode ?? code)
}

// A timer or promise that a definition left behind failed. Nothing awaits it, so Node would only print its stack.
process.on('uncaughtException', (error) => {
  if (finished) return
  finished = true
  const message = `Work that a definition, the configuration or an Activity left running failed: ${thrownText(error)}`
  const fix =
    'An Activity awaits what it starts, or catches what that throws; a definitions file only declares Tools.'
  report(message, fix)
  writeData('', () => process.exit(exitCode.fault))
})

const tooOld = oldNode(process.versions.node)
if (tooOld) report(tooOld.message, tooOld.fix)
const code = tooOld ? exitCode.fault : await run(process.argv.slice(2), terminal)
finished = true
// Definitions may leave timers and sockets open. Wait only until the output is flushed, since a pipe may be slow.
await new Promise<void>((written) => writeData('', () => written()))
await new Promise<void>((written) => process.stderr.write('', () => written()))
process.exit(isDataLost ? exitCode.fault : code)
