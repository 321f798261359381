import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject } from '../../runtime/json/json.ts'
import { GeneratorError } from '../generator-error.ts'
import {
  type FileSystem,
  makeFolder,
  readIfPresent,
  remove,
  statIfPresent,
  systemCode,
} from './file-system.ts'
import type { OutputFolder } from './output-folder.ts'
import { lockPath, runFolder } from './run-folder.ts'

/** The holder of the lock of an output folder. */
interface Holder {
  readonly pid: number
  readonly host: string
  readonly run: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** A held lock. */
export interface Lock {
  /** Unique id of this run. */
  readonly run: string
  release(): void
}

/** Times, in milliseconds, for waiting on another run that writes the same folder. */
export interface Patience {
  readonly wait: number
  /** The age at which a lock counts as abandoned: writing takes well under a second, even for a thousand Tools. */
  readonly stale: number
}

export const defaultPatience: Patience = { wait: 15_000, stale: 60_000 }

const pollInterval = 40

/** A lock without a holder for this many milliseconds belongs to a run that was killed between creating and filling it. */
const cutShort = 2_000

/**
 * Takes the lock of an output folder, waiting for another run to finish. A lock whose process has died is broken.
 *
 * @throws GeneratorError `locked` when the other run does not finish in time.
 */
export async function takeLock(
  output: OutputFolder,
  fileSystem: FileSystem,
  patience: Patience,
): Promise<Lock> {
  const path = lockPath(output.absolute)
  const run = randomUUID()
  const giveUp = Date.now() + patience.wait
  for (;;) {
    const mine: Holder = { pid: process.pid, host: hostname(), run, since: Date.now() }
    if (createLock(output.absolute, path, mine, fileSystem)) {
      return { run, release: () => releaseLock(output.absolute, path, run, fileSystem) }
    }
    const holder = readHolder(path, fileSystem)
    if (holder && isLeftOver(holder, patience)) breakLock(path, holder, fileSystem)
    else if (Date.now() > giveUp) throw lockedError(output, holder)
    else await sleep(pollInterval)
  }
}

function createLock(folder: string, path: string, holder: Holder, fileSystem: FileSystem): boolean {
  makeFolder(runFolder(folder), fileSystem)
  try {
    fileSystem.writeFileSync(path, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    // ENOENT: the run that just finished removed the folder in between.
    const code = systemCode(error)
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

function readHolder(path: string, fileSystem: FileSystem): Holder | undefined {
  const text = readIfPresent(path, fileSystem)
  if (text === undefined) return undefined
  const since = statIfPresent(path, fileSystem)?.mtimeMs ?? Date.now()
  const data = parseHolder(text)
  return { pid: data?.pid ?? 0, host: data?.host ?? '', run: data?.run ?? '', since }
}

function parseHolder(text: string): Omit<Holder, 'since'> | undefined {
  try {
    const data: unknown = JSON.parse(text)
    if (!isJsonObject(data)) return undefined
    const { pid, host, run } = data
    return typeof pid === 'number' && typeof host === 'string' && typeof run === 'string'
      ? { pid, host, run }
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isLeftOver(holder: Holder, patience: Patience): boolean {
  const age = Date.now() - holder.since
  if (age > patience.stale || (holder.run === '' && age > cutShort)) return true
  // Process ids of another machine or container mean nothing here; for those only the age counts.
  return holder.host === hostname() && holder.pid > 0 && !isRunning(holder.pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}

/** Moves an abandoned lock away. If it turns out to be a new lock of another run, moves it back. */
function breakLock(path: string, holder: Holder, fileSystem: FileSystem): void {
  const aside = `${path}-${randomUUID()}`
  try {
    fileSystem.renameSync(path, aside)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  const moved = readHolder(aside, fileSystem)
  if (moved && moved.run !== holder.run) fileSystem.renameSync(aside, path)
  else remove(aside, fileSystem)
}

function releaseLock(folder: string, path: string, run: string, fileSystem: FileSystem): void {
  if (readHolder(path, fileSystem)?.run !== run) return
  remove(path, fileSystem)
  try {
    fileSystem.rmdirSync(runFolder(folder))
  } catch (error) {
    // Another run has entered already.
    const code = systemCode(error)
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}

function lockedError(output: OutputFolder, holder: Holder | undefined): GeneratorError {
  const who = holder?.pid ? `process ${holder.pid} on ${holder.host}` : 'another process'
  const message = `${output.shown} is being written by ${who}, which did not finish.`
  const fix = `Wait for it; or, if it hangs, end it and delete ${output.shown}/.callsheet-run.`
  return new GeneratorError('locked', [{ message, fix }])
}
