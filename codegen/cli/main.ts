#!/usr/bin/env node
import { Console } from 'node:console'
import { buffer } from 'node:stream/consumers'
import { GeneratorError } from '../generator-error.ts'
import { observeRunningFile } from '../load/running-file.ts'
import { thrownText } from '../load/thrown-text.ts'
import { definitionLimit } from '../load/within-limit.ts'
import { faultReport, formatAskedFor } from './fault-report.ts'
import { decodeText } from './read-text.ts'
import { run } from './run.ts'
import { wantsColours } from './style.ts'
import { exitCode, type Terminal } from './terminal.ts'
import { visibleControls } from './visible-controls.ts'
import { startWatchdog } from './watchdog.ts'

// Definitions are code and may write what they like; standard output is for data alone.
const writeData = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
globalThis.console = new Console(process.stderr)

// `callsheet generate --check --diff | head` closes the pipe early, which is not a failure.
let isDataLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isDataLost) return
  isDataLost = true
  const message = `Standard output cannot be written: ${error.message}.`
  const fix = 'Make room where it goes, and run it again: what came out is not whole.'
  faultReport(new GeneratorError('cannot_write', [{ message, fix }]), undefined, terminal)
})
// Whoever read what people read is gone: nobody is left to tell, and a server goes on without them.
process.stderr.on('error', () => {})

function interruptible(): AbortSignal {
  const interruption = new AbortController()
  // Once each: a second Ctrl-C ends the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  return interruption.signal
}

async function ask(question: string): Promise<string> {
  const { askIn } = await import('./ask.ts')
  return askIn(process.stdin, process.stderr, question, true)
}

const terminal: Terminal = {
  cwd: process.cwd(),
  repository: process.env.GITHUB_WORKSPACE || undefined,
  // What another program reads it gets as it is.
  out: (part) => void writeData(process.stdout.isTTY ? visibleControls(part) : part),
  err: (part) => void process.stderr.write(visibleControls(part)),
  colours: wantsColours({ isTTY: process.stderr.isTTY === true, env: process.env }),
  readInput: async () => decodeText(await buffer(process.stdin), 'standard input'),
  interruptible,
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
}

// A definition that ends the process, or waits for what never comes, must not look like success.
let finished = false
let running: string | undefined
let watchdog: ((file: string | undefined) => void) | undefined
observeRunningFile((file) => {
  running = file
  watchdog ??= startWatchdog({ warnAfter: 5_000, endAfter: definitionLimit + 5_000 })
  watchdog(file)
})
function reportEnd(): void {
  if (finished) return
  finished = true
  process.stderr.write(
    `error ${running ?? 'A definition, the configuration or an Activity'} ended the process, or waits for something that never comes.\n`,
  )
  process.stderr.write(
    '  fix: Remove process.exit() and top-level awaits on servers or timers from what is loaded.\n',
  )
  process.exitCode = exitCode.fault
}
process.on('exit', reportEnd)

// What `process.exit` ends with. Called on its own it would end the process at once, as a success without a word.
const ending = process as typeof process & { reallyExit(code?: number | string | null): never }
const reallyExit = ending.reallyExit.bind(process)
ending.reallyExit = (code) => {
  reportEnd()
  return reallyExit(process.exitCode ?? code)
}

// A timer or a promise that a definition left behind: nobody waits for it, so Node would end the process with its stack alone.
process.on('uncaughtException', (error) => {
  if (finished) return
  finished = true
  const message = `What a definition, the configuration or an Activity left running failed: ${thrownText(error)}`
  const fix =
    'An Activity awaits what it starts, or catches what that throws; a definitions file only declares Tools.'
  faultReport(
    new GeneratorError('cannot_read', [{ message, fix }]),
    formatAskedFor(process.argv.slice(2)),
    terminal,
  )
  writeData('', () => process.exit(exitCode.fault))
})

const code = await run(process.argv.slice(2), terminal)
finished = true
// Definitions may leave timers and sockets open; only what was written is waited for, as a pipe takes it in its own time.
await new Promise<void>((written) => writeData('', () => written()))
await new Promise<void>((written) => process.stderr.write('', () => written()))
process.exit(isDataLost ? exitCode.fault : code)
