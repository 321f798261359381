import { Worker } from 'node:worker_threads'

/** How long one definition or configuration file may run, in milliseconds, and how its end is reported. */
export interface WatchdogOptions {
  /** When a warning names the file. */
  readonly warnAfter: number
  /** When the process is ended. */
  readonly endAfter: number
  /** The format of the report: with `json` the error is also written to standard output. */
  readonly format: string | undefined
}

/**
 * Watches the running file from a separate thread, since an endless loop blocks the main thread: names the file on standard
 * error after a while, and ends the process after the limit.
 *
 * @returns A function that takes the file that starts to run, or undefined when it has ended.
 */
export function startWatchdog(options: WatchdogOptions): (file: string | undefined) => void {
  const worker = new Worker(program, { eval: true, workerData: options })
  worker.unref()
  return (file) => worker.postMessage(file)
}

/** The code of the thread. Only killing can end a process whose main thread is busy. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
let timers = []
parentPort.on('message', (file) => {
  for (const timer of timers) clearTimeout(timer)
  if (file === undefined) return
  const { warnAfter, endAfter, format } = workerData
  const seconds = (milliseconds) => Math.round(milliseconds / 100) / 10 + ' s'
  timers = [
    setTimeout(() => {
      writeSync(2, file + ' has been running for ' + seconds(warnAfter) + '; it is given up after ' + seconds(endAfter) + '.\\n')
    }, warnAfter),
    setTimeout(() => {
      const message = file + ' does not end: it has been running for ' + seconds(endAfter) + '.'
      const fix = 'Remove the loop or the wait from it; a definitions file only declares Tools.'
      const error = { code: 'cannot_read', faults: [{ message, fix }] }
      if (format === 'json') writeSync(1, JSON.stringify({ ok: false, error }, null, 2) + '\\n')
      writeSync(2, 'error ' + message + '\\n  fix: ' + fix + '\\n')
      process.kill(process.pid, 'SIGKILL')
    }, endAfter),
  ]
})
`
